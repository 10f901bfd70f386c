// A library that is loaded when it is needed first, and not at the program's start: what most boxes never use (TLS, NATS,
// Bluetooth's search, other sound files than WAV) then takes none of their memory.
//
// A target of one library names its functions in a list, puts LATE_DECLARE over it in its header and LATE_LIBRARY in its
// one C file. Whoever includes the header calls the functions by their own names, and reaches `late_NAME`: a jump to where
// the library has it. The first call of any loads the library; what cannot be loaded then ends the program, so the one
// place that knows how to tell it asks `LIBRARY_load` before.
//
// The library's name goes into the program as a `.note.dlopen` (https://systemd.io/ELF_DLOPEN_METADATA/): scripts/package
// makes the package depend on it.
#pragma once

/// Stands in front of the library's own header: calls go to `late_NAME`.
#define LATE_DECLARE(name) LATE_PRAGMA(redefine_extname name late_##name)
#define LATE_PRAGMA(words) _Pragma(#words)

struct late_function {
    const char *name;
    /// Where the function is, or the code that loads the library.
    void **place;
};

struct late_library {
    const char *name;
    const struct late_function *functions;
    /// Code that loads the library, then goes on to the function.
    void *first;
    void *handle;
    int users;
};

/// Loads a library unless it is loaded.
/// @return what is wrong, in words that hold until the thread's next call; NULL where all functions are there.
const char *late_load(struct late_library *library);

/// The same; ends the program where the library cannot be loaded.
void late_load_or_end(struct late_library *library);

/// Whether it is loaded.
int late_is_loaded(struct late_library *library);

/// Loads it and counts a user; what the user made of it must be gone before `late_leave`.
/// @return as `late_load`; a user is counted where it is NULL.
const char *late_use(struct late_library *library);
void late_leave(struct late_library *library);

/// Gives its memory back, unless somebody uses it. The next call loads it again.
void late_rest(struct late_library *library);

#define LATE_TEXT(text) LATE_TEXT_(text)
#define LATE_TEXT_(text) #text

/// Only integers and pointers are passed by the functions of these libraries: vector registers are not kept.
#if defined(__x86_64__)
#define LATE_FIRST(library) \
    "late_first_" #library ":\n" \
    "endbr64\n" \
    "push %rbp\n mov %rsp, %rbp\n" \
    "push %rdi\n push %rsi\n push %rdx\n push %rcx\n push %r8\n push %r9\n push %rax\n push %r11\n" \
    "lea late_" #library "(%rip), %rdi\n" \
    "call late_load_or_end@PLT\n" \
    "pop %r11\n pop %rax\n pop %r9\n pop %r8\n pop %rcx\n pop %rdx\n pop %rsi\n pop %rdi\n" \
    "pop %rbp\n" \
    "jmp *(%r11)\n"
#define LATE_JUMP(name) \
    "endbr64\n" \
    "lea late_place_" #name "(%rip), %r11\n" \
    "jmp *(%r11)\n"
#elif defined(__aarch64__)
#define LATE_FIRST(library) \
    "late_first_" #library ":\n" \
    "hint #34\n" \
    "stp x29, x30, [sp, #-96]!\n mov x29, sp\n" \
    "stp x0, x1, [sp, #16]\n stp x2, x3, [sp, #32]\n stp x4, x5, [sp, #48]\n" \
    "stp x6, x7, [sp, #64]\n stp x8, x16, [sp, #80]\n" \
    "adrp x0, late_" #library "\n add x0, x0, :lo12:late_" #library "\n" \
    "bl late_load_or_end\n" \
    "ldp x0, x1, [sp, #16]\n ldp x2, x3, [sp, #32]\n ldp x4, x5, [sp, #48]\n" \
    "ldp x6, x7, [sp, #64]\n ldp x8, x16, [sp, #80]\n" \
    "ldp x29, x30, [sp], #96\n" \
    "ldr x17, [x16]\n br x17\n"
#define LATE_JUMP(name) \
    "hint #34\n" \
    "adrp x16, late_place_" #name "\n add x16, x16, :lo12:late_place_" #name "\n" \
    "ldr x17, [x16]\n br x17\n"
#else
#error "late_library.h knows x86-64 and arm64 only: add this machine's LATE_FIRST and LATE_JUMP"
#endif

#define LATE_FUNCTION(function_name) \
    void *late_place_##function_name __attribute__((visibility("hidden"))); \
    __asm__( \
        ".pushsection .text.late_" #function_name ", \"ax\", %progbits\n" \
        ".globl late_" #function_name "\n" \
        ".hidden late_" #function_name "\n" \
        ".type late_" #function_name ", %function\n" \
        ".balign 16\n" \
        "late_" #function_name ":\n" LATE_JUMP(function_name) \
        ".size late_" #function_name ", . - late_" #function_name "\n" \
        ".popsection\n");

#define LATE_ROW(function_name) {#function_name, &late_place_##function_name},
#define LATE_AT_FIRST(function_name) late_place_##function_name = late_first;

/// @param library one word; `soname` the file as the loader finds it; `list` the functions, as a macro over a macro.
#define LATE_LIBRARY(library, soname, list) \
    list(LATE_FUNCTION) \
    static const struct late_function late_functions_##library[] = {list(LATE_ROW){0, 0}}; \
    extern char late_first_##library[] __attribute__((visibility("hidden"))); \
    struct late_library late_##library __attribute__((visibility("hidden"))) = { \
        soname, late_functions_##library, late_first_##library, 0, 0}; \
    __attribute__((constructor)) static void late_begin_##library(void) { \
        void *late_first = late_first_##library; \
        list(LATE_AT_FIRST) \
    } \
    __asm__( \
        ".pushsection .text.late_first_" #library ", \"ax\", %progbits\n" \
        ".globl late_first_" #library "\n" \
        ".hidden late_first_" #library "\n" \
        ".type late_first_" #library ", %function\n" \
        ".balign 16\n" LATE_FIRST(library) \
        ".size late_first_" #library ", . - late_first_" #library "\n" \
        ".popsection\n" \
        ".pushsection .note.dlopen, \"a\", %note\n" \
        ".balign 4\n" \
        ".long 4, 2f - 1f, 0x407c0c0a\n" \
        ".asciz \"FDO\"\n" \
        "1: .asciz \"[{\\\"soname\\\":[\\\"" soname "\\\"],\\\"feature\\\":\\\"" #library \
        "\\\",\\\"priority\\\":\\\"required\\\"}]\"\n" \
        "2: .balign 4\n" \
        ".popsection\n");

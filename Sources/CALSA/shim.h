#pragma once
#include <alsa/asoundlib.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ALSA writes its complaints to standard error unless a handler takes them, and a handler is variadic, which Swift
// cannot write. So it is here, and keeps the last complaint of the calling thread until that is asked for.

static inline char *_Nonnull calsa_complaint_buffer(void) {
    static _Thread_local char text[256];
    return text;
}

static inline void calsa_keep_complaint(const char *file, int line, const char *function, int error,
                                        const char *format, ...) {
    (void)file;
    (void)line;
    char *text = calsa_complaint_buffer();
    int used = snprintf(text, 256, "%s: ", function ? function : "alsa");
    if (used < 0 || used >= 256) return;
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(text + used, 256 - (size_t)used, format, arguments);
    va_end(arguments);
    if (error && more >= 0 && used + more < 250)
        snprintf(text + used + more, 256 - (size_t)(used + more), ": %s", snd_strerror(error));
}

/// From here on ALSA keeps its complaints to itself, in the whole process.
static inline void calsa_silence(void) { snd_lib_error_set_handler(calsa_keep_complaint); }

/// The last complaint of this thread since the one asked for before, or an empty text. Valid until the next call.
static inline const char *_Nonnull calsa_take_complaint(void) {
    static _Thread_local char taken[256];
    memcpy(taken, calsa_complaint_buffer(), sizeof taken);
    calsa_complaint_buffer()[0] = 0;
    return taken;
}

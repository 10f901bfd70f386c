#pragma once
#include <unicode/unum.h>
#include <unicode/ustring.h>

// ICU's functions carry the library's version in their names; behind these inlines Swift need not know it.

static inline UNumberFormat *spellout_open(const char *locale) {
    UErrorCode status = U_ZERO_ERROR;
    UNumberFormat *format = unum_open(UNUM_SPELLOUT, NULL, 0, locale, NULL, &status);
    return U_FAILURE(status) ? NULL : format;
}

/// Chooses one of the locale's rule sets, named in ASCII. 0 where it has none of that name.
static inline int spellout_choose(UNumberFormat *format, const char *ruleset) {
    UChar name[128];
    UErrorCode status = U_ZERO_ERROR;
    u_uastrcpy(name, ruleset);
    unum_setTextAttribute(format, UNUM_DEFAULT_RULESET, name, -1, &status);
    return !U_FAILURE(status);
}

/// Writes the words in UTF-8 and returns their length in bytes, or -1.
static inline int spellout_words(UNumberFormat *format, int64_t number, char *words, int size) {
    UChar text[1024];
    int32_t length = 0;
    UErrorCode status = U_ZERO_ERROR;
    int32_t units = unum_formatInt64(format, number, text, 1024, NULL, &status);
    u_strToUTF8(words, size, &length, text, units, &status);
    return U_FAILURE(status) ? -1 : length;
}

/// The same for a number with decimals.
static inline int spellout_decimal_words(UNumberFormat *format, double number, char *words, int size) {
    UChar text[1024];
    int32_t length = 0;
    UErrorCode status = U_ZERO_ERROR;
    int32_t units = unum_formatDouble(format, number, text, 1024, NULL, &status);
    u_strToUTF8(words, size, &length, text, units, &status);
    return U_FAILURE(status) ? -1 : length;
}

static inline void spellout_close(UNumberFormat *format) { unum_close(format); }

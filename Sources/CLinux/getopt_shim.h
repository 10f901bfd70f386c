#pragma once
#include <getopt.h>

// getopt's globals, which Swift does not let strict code touch. One thread reads arguments, before there is another.
static inline void clinux_getopt_restart(void) { optind = 0; opterr = 0; }
static inline int clinux_getopt_long(int count, char *_Nullable *_Nonnull words, const char *_Nonnull shorts,
                                     const struct option *_Nonnull longs) {
    return getopt_long(count, words, shorts, longs, 0);
}
static inline int clinux_optind(void) { return optind; }
static inline const char *_Nullable clinux_optarg(void) { return optarg; }

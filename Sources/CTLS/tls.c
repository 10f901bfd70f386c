#include "tls.h"

// libssl's file: it brings libcrypto, whose functions are found through it.
LATE_LIBRARY(tls, "libssl.so." LATE_TEXT(OPENSSL_SHLIB_VERSION), TLS_FUNCTIONS)

const char *tls_load(void) { return late_load(&late_tls); }

int tls_is_loaded(void) { return late_is_loaded(&late_tls); }

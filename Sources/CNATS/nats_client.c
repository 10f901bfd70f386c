#include "nats_client.h"

LATE_LIBRARY(
    nats_client, "libnats.so." LATE_TEXT(NATS_VERSION_MAJOR) "." LATE_TEXT(NATS_VERSION_MINOR), NATS_FUNCTIONS)

const char *nats_client_load(void) { return late_load(&late_nats_client); }

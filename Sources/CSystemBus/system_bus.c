#include "system_bus.h"

LATE_LIBRARY(system_bus, "libsystemd.so.0", SYSTEM_BUS_FUNCTIONS)

const char *system_bus_load(void) { return late_load(&late_system_bus); }

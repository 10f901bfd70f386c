// sd-bus of libsystemd, loaded with the first connection to a bus.
#pragma once
#include "late_library.h"

/// What of it is called.
#define SYSTEM_BUS_FUNCTIONS(F) \
    F(sd_bus_add_filter) F(sd_bus_call_async) F(sd_bus_close_unref) F(sd_bus_get_events) F(sd_bus_get_fd) \
    F(sd_bus_get_timeout) F(sd_bus_is_open) F(sd_bus_message_append_basic) F(sd_bus_message_close_container) \
    F(sd_bus_message_enter_container) F(sd_bus_message_exit_container) F(sd_bus_message_get_error) \
    F(sd_bus_message_get_interface) F(sd_bus_message_get_member) F(sd_bus_message_get_path) \
    F(sd_bus_message_get_sender) F(sd_bus_message_is_method_call) F(sd_bus_message_is_method_error) \
    F(sd_bus_message_new_method_call) F(sd_bus_message_new_method_error) F(sd_bus_message_new_method_return) \
    F(sd_bus_message_new_signal) F(sd_bus_message_open_container) F(sd_bus_message_peek_type) \
    F(sd_bus_message_read_basic) F(sd_bus_message_ref) F(sd_bus_message_rewind) F(sd_bus_message_skip) \
    F(sd_bus_message_unref) F(sd_bus_new) F(sd_bus_process) F(sd_bus_send) F(sd_bus_set_address) \
    F(sd_bus_set_bus_client) F(sd_bus_start) F(sd_bus_unref)

SYSTEM_BUS_FUNCTIONS(LATE_DECLARE)

#include <systemd/sd-bus.h>

/// Loads the library unless it is there.
/// @return what is wrong, in words that hold until the thread's next call; NULL where nothing is.
const char *system_bus_load(void);

#pragma once
// RFCOMM addresses and the search for a printer's serial port, over BlueZ's library. Its own headers stay out of sight of
// Swift: BDADDR_ANY and the ioctl macros cannot be imported, and its uuid_t clashes with another.

#include <stddef.h>
#include <stdint.h>

/// A non-blocking, close-on-exec RFCOMM socket; -1 and errno where there is none.
int bluetooth_rfcomm_socket(void);

/// Writes a socket address. `text` is six pairs of hex digits with colons.
///
/// Returns its length; 0 where `text` is no address or `size` is too small.
size_t bluetooth_rfcomm_address(const char *text, uint8_t channel, uint8_t *bytes, size_t size);

/// A search for the channel of a device's Serial Port service (SDP). No call of it blocks.
struct bluetooth_search;

/// Begins to connect; NULL and errno on failure.
struct bluetooth_search *bluetooth_search_begin(const char *address);

/// To be watched: first for room to write, then for something to read.
int bluetooth_search_descriptor(const struct bluetooth_search *search);

/// The descriptor can be written to: the connection has come to be, or failed. Asks.
///
/// Returns 0; -1 and errno on failure.
int bluetooth_search_ask(struct bluetooth_search *search);

/// The descriptor can be read.
///
/// Returns 0 when the answer is not whole yet, 1 when it is, -1 and errno on failure.
int bluetooth_search_read(struct bluetooth_search *search);

/// The channel found; 0 where the device has no such service.
uint8_t bluetooth_search_channel(const struct bluetooth_search *search);

void bluetooth_search_end(struct bluetooth_search *search);

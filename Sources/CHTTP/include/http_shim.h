// libmicrohttpd for Swift: its calls that take a list of options, which Swift cannot make, and its enumerations, whose names
// in Swift depend on the library's version. All else is its own header's.
#pragma once
#include <microhttpd.h>
#include <stdint.h>

// Starts a daemon without a thread of its own: whoever started it calls MHD_run when `http_epoll` is readable or
// MHD_get_timeout is over. It listens on 127.0.0.1 alone.
//
// port: 0 lets the system choose. most: connections at once. memory: bytes of one connection's head and buffers.
// idle: seconds after which a connection that does nothing is closed.
// Returns NULL and errno where it cannot listen.
struct MHD_Daemon *http_start(uint16_t port, MHD_AccessHandlerCallback handle, MHD_RequestCompletedCallback completed,
                              void *owner, unsigned most, size_t memory, unsigned idle);

// The descriptor to wait for; -1 where there is none.
int http_epoll(struct MHD_Daemon *daemon);

// The port that it listens on; 0 where it is not known.
uint16_t http_port(struct MHD_Daemon *daemon);

// Milliseconds until MHD_run is due again; -1 where only the descriptor tells.
int64_t http_timeout(struct MHD_Daemon *daemon);

// A header of a request; NULL where it has none.
const char *http_header(struct MHD_Connection *connection, const char *name);

// A response of these bytes, which are copied.
struct MHD_Response *http_response(const void *bytes, size_t size);

static const enum MHD_Result http_yes = MHD_YES;
static const enum MHD_Result http_no = MHD_NO;

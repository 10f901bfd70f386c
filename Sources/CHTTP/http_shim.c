#include "http_shim.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

struct MHD_Daemon *http_start(uint16_t port, MHD_AccessHandlerCallback handle, MHD_RequestCompletedCallback completed,
                              void *owner, unsigned most, size_t memory, unsigned idle) {
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, port, NULL, NULL, handle, owner,
                            MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_CONNECTION_LIMIT, most,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory, MHD_OPTION_CONNECTION_TIMEOUT, idle,
                            MHD_OPTION_NOTIFY_COMPLETED, completed, owner, MHD_OPTION_END);
}

int http_epoll(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

uint16_t http_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

int64_t http_timeout(struct MHD_Daemon *daemon) {
    MHD_UNSIGNED_LONG_LONG milliseconds = 0;
    return MHD_get_timeout(daemon, &milliseconds) == MHD_YES ? (int64_t)(milliseconds & INT32_MAX) : -1;
}

const char *http_header(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

struct MHD_Response *http_response(const void *bytes, size_t size) {
    return MHD_create_response_from_buffer(size, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

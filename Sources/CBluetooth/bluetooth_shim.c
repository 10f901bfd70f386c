#include "bluetooth_shim.h"

#include <bluetooth/bluetooth.h>
#include <bluetooth/rfcomm.h>
#include <bluetooth/sdp.h>
#include <bluetooth/sdp_lib.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int bluetooth_rfcomm_socket(void) {
    return socket(AF_BLUETOOTH, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, BTPROTO_RFCOMM);
}

size_t bluetooth_rfcomm_address(const char *text, uint8_t channel, uint8_t *bytes, size_t size) {
    struct sockaddr_rc address = {.rc_family = AF_BLUETOOTH, .rc_channel = channel};
    if (size < sizeof address || bachk(text) < 0) return 0;
    str2ba(text, &address.rc_bdaddr);
    memcpy(bytes, &address, sizeof address);
    return sizeof address;
}

struct bluetooth_search {
    sdp_session_t *session;
    int is_answered;
    uint8_t channel;
};

struct bluetooth_search *bluetooth_search_begin(const char *text) {
    bdaddr_t any = {{0}};
    bdaddr_t address;
    if (bachk(text) < 0) {
        errno = EINVAL;
        return NULL;
    }
    str2ba(text, &address);
    struct bluetooth_search *search = calloc(1, sizeof *search);
    if (search == NULL) return NULL;
    search->session = sdp_connect(&any, &address, SDP_NON_BLOCKING);
    if (search->session == NULL) {
        int error = errno;
        free(search);
        errno = error;
        return NULL;
    }
    return search;
}

int bluetooth_search_descriptor(const struct bluetooth_search *search) {
    return sdp_get_socket(search->session);
}

/// The RFCOMM channel of one service record, or 0.
static uint8_t channel_of(sdp_record_t *record) {
    sdp_list_t *protocols = NULL;
    if (sdp_get_access_protos(record, &protocols) != 0) return 0;
    int channel = sdp_get_proto_port(protocols, RFCOMM_UUID);
    sdp_list_foreach(protocols, (sdp_list_func_t)sdp_list_free, NULL);
    sdp_list_free(protocols, NULL);
    return channel >= 1 && channel <= 30 ? (uint8_t)channel : 0;
}

/// Takes the first record that has a channel. `bytes` is a sequence of records.
static void answered(uint8_t type, uint16_t status, uint8_t *bytes, size_t size, void *data) {
    struct bluetooth_search *search = data;
    if (status != 0 || type != SDP_SVC_SEARCH_ATTR_RSP) return;
    search->is_answered = 1;
    uint8_t kind;
    int length = 0;
    int offset = sdp_extract_seqtype(bytes, (int)size, &kind, &length);
    while (offset > 0 && (size_t)offset < size && search->channel == 0) {
        int taken = 0;
        sdp_record_t *record = sdp_extract_pdu(bytes + offset, (int)(size - (size_t)offset), &taken);
        if (record == NULL) return;
        search->channel = channel_of(record);
        sdp_record_free(record);
        if (taken <= 0) return;
        offset += taken;
    }
}

int bluetooth_search_ask(struct bluetooth_search *search) {
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(sdp_get_socket(search->session), SOL_SOCKET, SO_ERROR, &error, &size) != 0) return -1;
    if (error != 0) {
        errno = error;
        return -1;
    }
    sdp_set_notify(search->session, answered, search);
    uuid_t service;
    sdp_uuid16_create(&service, SERIAL_PORT_SVCLASS_ID);
    uint16_t attribute = SDP_ATTR_PROTO_DESC_LIST;
    sdp_list_t *services = sdp_list_append(NULL, &service);
    sdp_list_t *attributes = sdp_list_append(NULL, &attribute);
    int result = sdp_service_search_attr_async(search->session, services, SDP_ATTR_REQ_INDIVIDUAL, attributes);
    sdp_list_free(services, NULL);
    sdp_list_free(attributes, NULL);
    if (result != 0) errno = EPROTO;
    return result == 0 ? 0 : -1;
}

int bluetooth_search_read(struct bluetooth_search *search) {
    errno = 0;
    if (sdp_process(search->session) == 0) return 0;
    if (search->is_answered) return 1;
    // The library says that it is over and not why, where the other side hung up or talked nonsense.
    if (errno == 0 || errno == EAGAIN) errno = EPROTO;
    return -1;
}

uint8_t bluetooth_search_channel(const struct bluetooth_search *search) { return search->channel; }

void bluetooth_search_end(struct bluetooth_search *search) {
    sdp_close(search->session);
    free(search);
}

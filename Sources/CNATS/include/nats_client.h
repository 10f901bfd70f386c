// cnats, loaded with the first connection to a fleet's server.
#pragma once
#include "late_library.h"

/// What of it is called.
#define NATS_FUNCTIONS(F) \
    F(natsConnection_Close) F(natsConnection_Connect) F(natsConnection_Destroy) F(natsConnection_FlushTimeout) \
    F(natsConnection_GetConnectedUrl) F(natsConnection_GetLastError) F(natsConnection_IsClosed) \
    F(natsConnection_PublishMsg) F(natsConnection_Subscribe) F(natsMsgHeader_Add) F(natsMsgHeader_Get) \
    F(natsMsgHeader_Keys) F(natsMsg_Create) F(natsMsg_Destroy) F(natsMsg_GetData) F(natsMsg_GetDataLength) \
    F(natsMsg_GetReply) F(natsMsg_GetSubject) F(natsOptions_Create) F(natsOptions_Destroy) \
    F(natsOptions_LoadCATrustedCertificates) F(natsOptions_SetAllowReconnect) F(natsOptions_SetClosedCB) \
    F(natsOptions_SetErrorHandler) F(natsOptions_SetIgnoreDiscoveredServers) F(natsOptions_SetMaxPingsOut) \
    F(natsOptions_SetNKeyFromSeed) F(natsOptions_SetName) F(natsOptions_SetPingInterval) \
    F(natsOptions_SetSecure) F(natsOptions_SetSendAsap) F(natsOptions_SetServers) F(natsOptions_SetTimeout) \
    F(natsOptions_SetUserCredentialsFromFiles) F(natsOptions_SetWriteDeadline) \
    F(natsOptions_UseGlobalMessageDelivery) F(natsStatus_GetText) F(natsSubscription_Destroy) \
    F(nats_GetLastError)

NATS_FUNCTIONS(LATE_DECLARE)

#include <nats/nats.h>

/// Loads the library unless it is there.
/// @return what is wrong, in words that hold until the thread's next call; NULL where nothing is.
const char *nats_client_load(void);

// OpenSSL, loaded with the first TLS connection or nkey.
#pragma once
#include "late_library.h"

/// What of it is called.
#define TLS_FUNCTIONS(F) \
    F(BIO_ctrl_pending) F(BIO_free) F(BIO_new) F(BIO_new_mem_buf) F(BIO_read) F(BIO_s_mem) F(BIO_write) \
    F(ERR_clear_error) F(ERR_error_string_n) F(ERR_get_error) F(ERR_reason_error_string) F(EVP_PKEY_free) \
    F(EVP_PKEY_get_raw_public_key) F(EVP_PKEY_new_raw_private_key) F(EVP_sha256) F(OpenSSL_version) \
    F(PEM_read_bio_PrivateKey) F(SSL_CTX_ctrl) F(SSL_CTX_free) F(SSL_CTX_get0_param) F(SSL_CTX_load_verify_file) \
    F(SSL_CTX_new) F(SSL_CTX_set_default_verify_paths) F(SSL_CTX_set_num_tickets) F(SSL_CTX_set_verify) \
    F(SSL_CTX_use_PrivateKey) F(SSL_CTX_use_certificate_chain_file) F(SSL_ctrl) F(SSL_do_handshake) F(SSL_free) \
    F(SSL_get0_param) F(SSL_get1_peer_certificate) F(SSL_get_certificate) F(SSL_get_error) \
    F(SSL_get_verify_result) F(SSL_new) F(SSL_read) F(SSL_set_accept_state) F(SSL_set_bio) \
    F(SSL_set_connect_state) F(SSL_shutdown) F(SSL_write) F(TLS_client_method) F(TLS_server_method) \
    F(X509_VERIFY_PARAM_set1_host) F(X509_VERIFY_PARAM_set1_ip_asc) F(X509_VERIFY_PARAM_set_flags) \
    F(X509_VERIFY_PARAM_set_hostflags) F(X509_VERIFY_PARAM_set_time) F(X509_digest) F(X509_free) \
    F(X509_verify_cert_error_string)

TLS_FUNCTIONS(LATE_DECLARE)

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

/// Loads the library unless it is there.
/// @return what is wrong, in words that hold until the thread's next call; NULL where nothing is.
const char *tls_load(void);

/// Whether it is.
int tls_is_loaded(void);

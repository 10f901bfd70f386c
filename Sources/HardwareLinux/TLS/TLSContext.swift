// What all TLS connections of one side share: whom it trusts, or what it shows. TLS 1.3 and nothing older.

import CTLS
import Glibc

/// Why TLS cannot be used; one line that says what to do.
package struct TLSSetupFault: Error, Equatable, Sendable {
    package var message: String
}

/// Whom a side trusts and what it shows, for all of its connections.
package final class TLSContext {
    /// Of a certificate's or a key's file.
    private static let mostFileBytes = 1 << 20

    let pointer: OpaquePointer

    deinit { SSL_CTX_free(pointer) }

    private init(_ method: () -> OpaquePointer?) throws(TLSSetupFault) {
        if let why = tls_load() { throw TLSSetupFault(message: "OpenSSL cannot be loaded: \(String(cString: why))") }
        guard let pointer = SSL_CTX_new(method()) else { throw TLSSetupFault(message: TLSErrors.take()) }
        self.pointer = pointer
        // SSL_CTX_set_min_proto_version and SSL_CTX_set_mode are macros, which Swift does not see.
        SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_3_VERSION), nil)
        SSL_CTX_ctrl(pointer, SSL_CTRL_MODE, Int(SSL_MODE_RELEASE_BUFFERS), nil)
    }

    /// - Parameter ca: a PEM file with the only certificates to trust: CAs, or the server's own. nil takes the system's.
    package static func client(ca: String?) throws(TLSSetupFault) -> TLSContext {
        let context = try TLSContext(TLS_client_method)
        SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER, nil)
        if let ca { try context.trust(ca) } else { SSL_CTX_set_default_verify_paths(context.pointer) }
        return context
    }

    /// - Parameters:
    ///   - certificate: a PEM file: the server's certificate, then those between it and its CA.
    ///   - key: a PEM file of mode 0600, not encrypted.
    package static func server(certificate: String, key: String) throws(TLSSetupFault) -> TLSContext {
        let context = try TLSContext(TLS_server_method)
        // No tickets: a box that comes again makes a whole handshake, and the hub keeps nothing of it.
        SSL_CTX_set_num_tickets(context.pointer, 0)
        guard SSL_CTX_use_certificate_chain_file(context.pointer, certificate) == 1 else {
            throw TLSSetupFault(message: "the certificate \(certificate) cannot be used: \(TLSErrors.take())")
        }
        try context.use(key: key)
        return context
    }

    private func trust(_ ca: String) throws(TLSSetupFault) {
        guard SSL_CTX_load_verify_file(pointer, ca) == 1 else {
            throw TLSSetupFault(message: "the CA's file \(ca) cannot be used: \(TLSErrors.take())")
        }
        // Whatever is in the file is trusted, a server's own certificate or one between it and its CA as well.
        X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(pointer), UInt(X509_V_FLAG_PARTIAL_CHAIN))
    }

    private func use(key path: String) throws(TLSSetupFault) {
        let bytes: [UInt8]
        do {
            bytes = try Files.readSecret(path, limit: Self.mostFileBytes)
        } catch {
            throw TLSSetupFault(
                message: error.errno == EPERM
                    ? error.operation : "the certificate's key cannot be read: \(error.message)")
        }
        let input = BIO_new_mem_buf(bytes, Int32(bytes.count))
        defer { BIO_free(input) }
        // Nobody is there to be asked for a passphrase.
        let key = PEM_read_bio_PrivateKey(input, nil, { _, _, _, _ in -1 }, nil)
        defer { EVP_PKEY_free(key) }
        guard let key, SSL_CTX_use_PrivateKey(pointer, key) == 1 else {
            throw TLSSetupFault(
                message: "the key \(path) cannot be used (it must be the certificate's, in PEM, not encrypted): "
                    + TLSErrors.take())
        }
    }
}

/// OpenSSL's queue of what went wrong in this thread.
enum TLSErrors {
    /// Takes all of it; the first is the cause.
    static func take() -> String {
        let first = ERR_get_error()
        ERR_clear_error()
        guard first != 0 else { return "no cause is known" }
        if let reason = ERR_reason_error_string(first) { return String(cString: reason) }
        var text = [CChar](repeating: 0, count: 256)
        ERR_error_string_n(first, &text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

// One TLS connection without its socket: what comes from the wire goes in, what is for the wire comes out. It never waits.

import BoxFoundation
import CTLS
import Glibc
import HardwareInterface

/// What came of a step.
struct TLSProgress {
    /// For the wire.
    var cipher: [UInt8] = []
    /// For whoever uses the connection.
    var plain: [UInt8] = []
    /// Nothing more comes.
    var end: TLSEnd?
}

enum TLSEnd: Equatable {
    /// The other side has said that it sends no more.
    case finished
    case distrusted(CertificateFault, String)
    case failed(String)
}

final class TLSStream {
    enum Side {
        /// - Parameters:
        ///   - host: a name or a number; what the server's certificate must be of.
        ///   - time: what its dates are judged by.
        case client(host: String, time: WallTime)
        case server
    }

    private static let chunk = 16 << 10

    private let ssl: OpaquePointer
    /// Both belong to `ssl`.
    private let input: OpaquePointer
    private let output: OpaquePointer
    private let side: Side
    /// The handshake is done, the server's certificate believed.
    private(set) var isOpen = false
    private var hasEnded = false

    init(_ context: TLSContext, _ side: Side) throws(TLSSetupFault) {
        guard let ssl = SSL_new(context.pointer), let input = BIO_new(BIO_s_mem()), let output = BIO_new(BIO_s_mem())
        else { throw TLSSetupFault(message: TLSErrors.take()) }
        (self.ssl, self.input, self.output, self.side) = (ssl, input, output, side)
        SSL_set_bio(ssl, input, output)
        switch side {
        case .client(let host, let time):
            SSL_set_connect_state(ssl)
            try expect(host, time)
        case .server: SSL_set_accept_state(ssl)
        }
    }

    deinit { SSL_free(ssl) }

    private func expect(_ host: String, _ time: WallTime) throws(TLSSetupFault) {
        let rules = SSL_get0_param(ssl)
        X509_VERIFY_PARAM_set_time(rules, time_t(time.milliseconds / 1000))
        X509_VERIFY_PARAM_set_hostflags(rules, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        let isSet: Int32
        if SocketAddress.Host(host) != nil {
            isSet = X509_VERIFY_PARAM_set1_ip_asc(rules, String(host.prefix { $0 != "%" }))
        } else {
            isSet = X509_VERIFY_PARAM_set1_host(rules, host, host.utf8.count)
            // SSL_set_tlsext_host_name is a macro.
            var name = Array(host.utf8CString)
            SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), &name)
        }
        guard isSet == 1 else { throw TLSSetupFault(message: "\(host) is no host to dial") }
    }

    // MARK: - Steps

    /// The first step: a client's hello.
    func start() -> TLSProgress { step() }

    func receive(_ cipher: [UInt8]) -> TLSProgress {
        guard !hasEnded else { return TLSProgress() }
        BIO_write(input, cipher, Int32(cipher.count))
        return step()
    }

    /// Nothing before `isOpen`.
    func send(_ plain: [UInt8]) -> TLSProgress {
        guard isOpen, !hasEnded, !plain.isEmpty else { return TLSProgress() }
        ERR_clear_error()
        let count = SSL_write(ssl, plain, Int32(plain.count))
        guard count == Int32(plain.count) else { return end(.failed(TLSErrors.take())) }
        return TLSProgress(cipher: takeOutput())
    }

    /// Says that nothing more comes from here.
    func close() -> TLSProgress {
        guard isOpen, !hasEnded else { return TLSProgress() }
        hasEnded = true
        ERR_clear_error()
        SSL_shutdown(ssl)
        ERR_clear_error()
        return TLSProgress(cipher: takeOutput())
    }

    /// The SHA-256, in lower-case hex, of the server's certificate in DER; nil before `isOpen`.
    var channel: String? {
        guard isOpen else { return nil }
        let theirs: OpaquePointer? = if case .client = side { SSL_get1_peer_certificate(ssl) } else { nil }
        defer { X509_free(theirs) }
        guard let certificate = theirs ?? SSL_get_certificate(ssl) else { return nil }
        var digest = [UInt8](repeating: 0, count: 32)
        guard X509_digest(certificate, EVP_sha256(), &digest, nil) == 1 else { return nil }
        return Hex.text(digest)
    }

    // MARK: - Within a step

    private func step() -> TLSProgress {
        ERR_clear_error()
        if !isOpen {
            let result = SSL_do_handshake(ssl)
            guard result == 1 else { return wantsMore(result) ? TLSProgress(cipher: takeOutput()) : fail() }
            isOpen = true
        }
        return read()
    }

    private func read() -> TLSProgress {
        var plain: [UInt8] = []
        while true {
            var count: Int32 = 0
            let part = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, used in
                count = SSL_read(ssl, buffer.baseAddress, Int32(Self.chunk))
                used = max(0, Int(count))
            }
            if count > 0 {
                plain += part
                continue
            }
            if wantsMore(count) { return TLSProgress(cipher: takeOutput(), plain: plain) }
            let end = SSL_get_error(ssl, count) == SSL_ERROR_ZERO_RETURN ? TLSEnd.finished : .failed(TLSErrors.take())
            var progress = self.end(end)
            progress.plain = plain
            return progress
        }
    }

    private func wantsMore(_ result: Int32) -> Bool {
        let error = SSL_get_error(ssl, result)
        return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE
    }

    private func fail() -> TLSProgress {
        let verdict = SSL_get_verify_result(ssl)
        let text = TLSErrors.take()
        guard case .client = side, verdict != Int(X509_V_OK) else { return end(.failed(text)) }
        let detail = X509_verify_cert_error_string(verdict).map { String(cString: $0) } ?? text
        return end(.distrusted(CertificateFault(verdict: Int32(verdict)), detail))
    }

    /// What is still for the wire says why.
    private func end(_ end: TLSEnd) -> TLSProgress {
        hasEnded = true
        return TLSProgress(cipher: takeOutput(), end: end)
    }

    private func takeOutput() -> [UInt8] {
        let count = BIO_ctrl_pending(output)
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            used = max(0, Int(BIO_read(output, buffer.baseAddress, Int32(count))))
        }
    }
}

extension CertificateFault {
    /// - Parameter verdict: of OpenSSL's verification, an `X509_V_ERR_`.
    init(verdict: Int32) {
        switch verdict {
        case X509_V_ERR_CERT_HAS_EXPIRED: self = .expired
        case X509_V_ERR_CERT_NOT_YET_VALID: self = .notYetValid
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: self = .wrongHost
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: self = .selfSigned
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
            X509_V_ERR_CERT_SIGNATURE_FAILURE:
            self = .wrongCA
        default: self = .other
        }
    }
}

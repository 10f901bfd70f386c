// Certificates made for the tests, with any name, dates and signer.

import BoxFoundation
import CTLS
import Glibc

package final class TestCertificate {
    private let certificate: OpaquePointer
    private let key: OpaquePointer

    /// - Parameters:
    ///   - hosts: in OpenSSL's form, `DNS:localhost,IP:127.0.0.1`; nil for a CA.
    ///   - issuer: nil signs it with its own key.
    package init(
        _ name: String, hosts: String? = nil, signedBy issuer: TestCertificate? = nil,
        from: WallTime = TestCertificate.year(2026), until: WallTime = TestCertificate.year(2036)
    ) {
        key = Self.makeKey()
        certificate = X509_new()
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set_int64(X509_get_serialNumber(certificate), Int64.random(in: 1 ... .max))
        ASN1_TIME_set(X509_getm_notBefore(certificate), time_t(from.milliseconds / 1000))
        ASN1_TIME_set(X509_getm_notAfter(certificate), time_t(until.milliseconds / 1000))
        X509_set_pubkey(certificate, key)
        X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8, name, -1, -1, 0)
        X509_set_issuer_name(certificate, X509_get_subject_name(issuer?.certificate ?? certificate))
        if let hosts {
            add(NID_subject_alt_name, hosts)
        } else {
            add(NID_basic_constraints, "critical,CA:TRUE")
            add(NID_key_usage, "critical,keyCertSign")
        }
        precondition(X509_sign(certificate, issuer?.key ?? key, nil) > 0, "a certificate cannot be signed")
    }

    deinit {
        X509_free(certificate)
        EVP_PKEY_free(key)
    }

    /// 1 January, 0:00 UTC; 2026 or later.
    package static func year(_ year: Int) -> WallTime {
        let leapDays = (2024..<year).filter { $0 % 4 == 0 }.count - 1
        return WallTime(milliseconds: 1_735_689_600_000 + Int64((year - 2025) * 365 + leapDays) * 86_400_000)
    }

    /// In PEM.
    package var text: [UInt8] { Self.text { PEM_write_bio_X509($0, certificate) } }
    package var keyText: [UInt8] { Self.text { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) } }

    /// The SHA-256 in hex of its DER.
    package var digest: String {
        var digest = [UInt8](repeating: 0, count: 32)
        X509_digest(certificate, EVP_sha256(), &digest, nil)
        return Hex.text(digest)
    }

    private func add(_ kind: Int32, _ value: String) {
        let made = X509V3_EXT_conf_nid(nil, nil, kind, value)
        precondition(made != nil, "\(value) is no extension")
        X509_add_ext(certificate, made, -1)
        X509_EXTENSION_free(made)
    }

    private static func makeKey() -> OpaquePointer {
        let making = EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nil)
        defer { EVP_PKEY_CTX_free(making) }
        var key: OpaquePointer?
        EVP_PKEY_keygen_init(making)
        EVP_PKEY_keygen(making, &key)
        return key!
    }

    private static func text(_ write: (OpaquePointer?) -> Int32) -> [UInt8] {
        let memory = BIO_new(BIO_s_mem())
        defer { BIO_free(memory) }
        precondition(write(memory) == 1, "no PEM")
        var text = [UInt8](repeating: 0, count: BIO_ctrl_pending(memory))
        BIO_read(memory, &text, Int32(text.count))
        return text
    }
}

// Why the certificate of a TLS server was not believed, told apart by what is to be done about it.

/// Why a server's certificate was not believed; the raw values are the log's words.
package enum CertificateFault: String, CaseIterable, Equatable, Sendable {
    /// Signed by somebody who is not trusted here.
    case wrongCA = "wrong-ca"
    /// Of another name than the one that was dialled.
    case wrongHost = "wrong-host"
    case expired
    case notYetValid = "not-yet-valid"
    /// Signed by itself and not trusted here.
    case selfSigned = "self-signed"
    case other

    /// One line that says what to do.
    package var message: String {
        switch self {
        case .wrongCA: "its certificate is signed by a CA that is not trusted here: set push.ca to that CA's file"
        case .wrongHost: "its certificate is of another host: is the name in push.url right?"
        case .expired: "its certificate has expired: the hub needs a new one"
        case .notYetValid: "its certificate is not yet valid: is the clock of this machine, or the hub's, right?"
        case .selfSigned: "its certificate is self-signed and not trusted here: set push.ca to that certificate's file"
        case .other: "its certificate cannot be trusted"
        }
    }
}

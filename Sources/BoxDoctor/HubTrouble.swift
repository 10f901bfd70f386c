// What a dialled connection ended with, by what is to be done about it.

import BoxFoundation
import HardwareInterface

extension HubTrouble {
    /// - Parameters:
    ///   - reason: the network's or the hub's own word; the name of an errno stands in brackets. Empty: not tried yet.
    ///   - certificate: why the hub's certificate was not believed, where that is what ended it.
    package init(reason: String, certificate: CertificateFault?) {
        switch certificate {
        case .wrongCA, .selfSigned: self = .untrusted
        case .wrongHost: self = .wrongHost
        case .expired: self = .expired
        case .notYetValid: self = .notYetValid
        case .other: self = .other(CertificateFault.other.message)
        case nil: self = Self.trouble(reason)
        }
    }

    private static let signs: [(words: [String], trouble: HubTrouble)] = [
        (["(ECONNREFUSED)"], .refused), (["(ETIMEDOUT)", "handshake-timeout", "silent"], .timedOut),
        (["(EHOSTUNREACH)", "(ENETUNREACH)", "(EHOSTDOWN)", "(ENETDOWN)", "(EADDRNOTAVAIL)"], .unreachable),
        (["no address for"], .unknownName),
        (["unauthorized", "Authorization Violation", "Authorization Expired"], .unauthorized),
        // OpenSSL's words and cnats' own, of a fleet's server.
        (["self-signed", "self signed", "unable to get local issuer", "unable to verify the first"], .untrusted),
        (["certificate has expired"], .expired), (["certificate is not yet valid"], .notYetValid),
        (["ostname mismatch", "IP address mismatch"], .wrongHost), (["No server available"], .noServer),
    ]

    /// Of a file of ours that is not there, not ours to read, or not what it should be.
    private static let fileSigns = [
        "(ENOENT)", "(EACCES)", "can be read by others", "neither an nkey's seed", "loading trusted certificates",
    ]

    private static func trouble(_ reason: String) -> HubTrouble {
        guard !reason.isEmpty else { return .notTriedYet }
        let bytes = Array(reason.utf8)
        func says(_ words: [String]) -> Bool { words.contains { bytes.firstPlace(of: $0.utf8) != nil } }
        if says(fileSigns) { return .badFile(reason) }
        return signs.first { says($0.words) }?.trouble ?? .other(reason)
    }
}

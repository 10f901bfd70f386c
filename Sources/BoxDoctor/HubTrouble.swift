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
        (["no address for"], .unknownName), (["unauthorized"], .unauthorized),
    ]

    private static func trouble(_ reason: String) -> HubTrouble {
        guard !reason.isEmpty else { return .notTriedYet }
        let bytes = Array(reason.utf8)
        return signs.first { $0.words.contains { bytes.firstPlace(of: $0.utf8) != nil } }?.trouble ?? .other(reason)
    }
}

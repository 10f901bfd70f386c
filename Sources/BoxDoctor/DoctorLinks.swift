// What the doctor says of hub and network.

import BoxFoundation
import HardwareInterface

extension Doctor {
    static func network(_ facts: DoctorFacts) -> Finding? {
        guard let addresses = facts.machine.addresses else { return nil }
        if !addresses.isEmpty { return connected(addresses, facts) }
        // A box that only listens to its own machine needs none.
        switch facts.hub {
        case .listening, .inUse(_, dials: false): return .note("network", "there is none")
        default: break
        }
        let (cause, cure) = disconnected(facts.machine.links)
        return .fault("network", "there is none", cause: cause, cure: cure)
    }

    /// A wireless link below this, in dBm, loses what it carries.
    static let weakSignal = -75

    private static func connected(_ addresses: [String], _ facts: DoctorFacts) -> Finding {
        let text = addresses.joined(separator: ", ")
        if case .away = facts.hub, facts.machine.hasGateway == false {
            return .fault(
                "network", "\(text), but no way out of this network", cause: "the router gave no route",
                cure: "look at the router, or at the address that was set by hand")
        }
        if case .away(_, .unknownName) = facts.hub, facts.machine.hasNameServer == false {
            return .fault(
                "network", "\(text), but no name server", cause: "the router names none (DHCP)",
                cure: "set one in the network's settings")
        }
        let weak = facts.machine.links?.first { $0.hasCarrier && $0.signal.map { $0 < weakSignal } ?? false }
        if let weak, let signal = weak.signal {
            return .note(
                "network", "\(text); \(weak.name) is weak (\(signal) dBm)",
                cause: "the router is far away, or behind metal", cure: "move the box or the router, or use a cable")
        }
        return .fine("network", text)
    }

    private static func disconnected(_ links: [NetworkLink]?) -> (cause: String, cure: String) {
        guard let links else { return wirelessOrCable }
        if links.isEmpty { return ("this machine has no network adapter", "plug one in") }
        if links.contains(where: \.hasCarrier) {
            return ("nobody gave an address (DHCP)", "look at the router, or set an address by hand")
        }
        if links.contains(where: \.isWireless) { return wirelessOrCable }
        return ("the cable is out", "plug it in at both ends, look for its lights")
    }

    private static let wirelessOrCable = (
        cause: "the cable is out, or the wireless name or password is wrong",
        cure: "plug the cable in, or set the wireless network up again"
    )

    static func hub(_ fact: HubFact) -> Finding {
        switch fact {
        case .unusable: .fault("hub", "nothing can push", cure: "correct push in the settings, see above")
        case .listening(let address): .fine("hub", "waiting on \(address)")
        case .cannotListen(let address, let why):
            .fault(
                "hub", "\(address) cannot be listened on: \(why)",
                cause: "another program has the port, or the address is not this machine's",
                cure: "stop the other program, or choose another push.address")
        case .connected(let hub): .fine("hub", hub.isEmpty ? "connected" : "\(hub) is connected")
        case .silent(let hub, let time):
            .fault(
                "hub", "\(hub.isEmpty ? "it" : hub) has been silent for \(time.seconds) s",
                cause: "the network between, or the hub itself, is down",
                cure: "look at the till or the router")
        case .inUse(let what, _): .fine("hub", "\(what): the running box has it; its console says how it is")
        case .away(let url, .notTriedYet): .note("hub", "connecting to \(url)")
        case .away(let url, let trouble): away(url, trouble)
        }
    }

    private static func away(_ url: String, _ trouble: HubTrouble) -> Finding {
        let (what, cause, cure) = words(trouble)
        return .fault("hub", "\(url): \(what)", cause: cause, cure: cure)
    }

    private static func words(_ trouble: HubTrouble) -> (what: String, cause: String?, cure: String) {
        switch trouble {
        case .notTriedYet: ("not tried yet", nil, "wait")
        case .unknownName:
            ("the name is not known", "no DNS, or a mistyped name", "check push.url and the network's DNS")
        case .refused:
            ("refused", "the hub is not running, or another port is right", "start the hub, check the port in push.url")
        case .unreachable: ("unreachable", "no way through the network", "check cable, wireless and router")
        case .timedOut: ("no answer", "a firewall, or the hub is off", "open the port in the firewall, start the hub")
        case .untrusted:
            (
                "its certificate is not trusted", "another authority signed it",
                "put that authority's certificate at push.ca"
            )
        case .expired:
            (
                "its certificate has expired", "it was not renewed, or this box's clock is wrong",
                "renew it, check the clock"
            )
        case .notYetValid:
            ("its certificate is not valid yet", "this box's clock is behind", "allow NTP in the network")
        case .wrongHost:
            (
                "its certificate is for another name", "push.url names it otherwise",
                "use the certificate's name in push.url"
            )
        case .unauthorized:
            (
                "it does not know this box or its key", "another key or box id at the hub",
                "give the hub this box's id and key"
            )
        case .noServer:
            (
                "no server answers", "it is off, no network leads there, or its name or port is mistyped",
                "check push.url and the network, start the server"
            )
        case .badFile(let text):
            (
                text, "push.ca or push.credentials names a file that is missing or not right",
                "put the file there, for the box's user to read"
            )
        case .other(let text): (text, nil, "send the support file")
        }
    }
}

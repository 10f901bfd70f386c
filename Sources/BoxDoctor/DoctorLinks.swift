// What the doctor says of hub and network.

import BoxFoundation

extension Doctor {
    static func network(_ facts: DoctorFacts) -> Finding? {
        guard let addresses = facts.machine.addresses else { return nil }
        if !addresses.isEmpty { return .fine("network", addresses.joined(separator: ", ")) }
        // A box that only listens to its own machine needs none.
        if case .listening = facts.hub { return .note("network", "there is none") }
        return .fault(
            "network", "there is none", cause: "the cable is out, or the wireless name or password is wrong",
            cure: "plug the cable in, or set the wireless network up again")
    }

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
        case .other(let text): (text, nil, "send the support file")
        }
    }
}

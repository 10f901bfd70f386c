// How pushes come in, as written in several layers; it is judged as a whole when all are read, since the names belong
// together.

import BoxFoundation

struct PushDraft {
    enum Mode: String, CaseIterable { case listen, dial, nats }

    static let usualPort: UInt16 = 7788
    static let usualHubPort: UInt16 = 7789
    static let usualNATSPort: UInt16 = 4222

    /// A value and where it was written, for what is found wrong later.
    private struct Written<Value> {
        var value: Value
        var layer: String
        var line: Int
    }

    private var mode: Written<Mode>?
    private var address: Written<HostAddress>?
    private var certificate: Written<String>?
    private var certificateKey: Written<String>?
    private var url: Written<String>?
    private var ca: Written<String>?
    private var credentials: Written<String>?
    private var heartbeat: Written<Int>?
    private var shard: Written<Int>?
    private var allowsPlaintext = false
    /// Names whose value was wrong: the rest may not mean what it says.
    private var broken: Set<String> = []

    mutating func read(_ section: inout SettingsSection) {
        keep(\.mode, section.choice("mode", Mode.self), "mode", section)
        let form = "HOST:PORT in quotes, such as \"127.0.0.1:7788\""
        keep(
            \.address,
            section.read("address", form) { $0.string.flatMap { HostAddress($0, usualPort: Self.usualPort) } },
            "address", section)
        keep(\.certificate, section.path("certificate"), "certificate", section)
        keep(\.certificateKey, section.path("certificateKey"), "certificateKey", section)
        keep(\.url, section.text("url", "an address such as \"tls://hub.example:7789\""), "url", section)
        keep(\.ca, section.path("ca"), "ca", section)
        keep(\.credentials, section.path("credentials"), "credentials", section)
        keep(\.heartbeat, section.integer("heartbeat", in: 10...120, unit: "seconds"), "heartbeat", section)
        keep(\.shard, section.integer("shard", in: 0...9999, unit: ""), "shard", section)
        if let allows = section.bool("allowPlaintext") { allowsPlaintext = allows }
        // Where these two are wrong, their defaults are the safe ones.
        let wrong = section.notes.filter { $0.level == .fault }.map(\.name)
        broken.formUnion(wrong.filter { $0 != "push.heartbeat" && $0 != "push.allowPlaintext" })
    }

    private mutating func keep<Value>(
        _ place: WritableKeyPath<PushDraft, Written<Value>?>, _ value: Value?, _ name: String,
        _ section: SettingsSection
    ) {
        guard let value else { return }
        broken.remove("push." + name)
        self[keyPath: place] = Written(value: value, layer: section.layer, line: section.line(name))
    }

    // MARK: Judging

    /// - Returns: nil where it cannot be used; the notes say why.
    func settings(_ notes: inout [SettingsNote]) -> PushSettings? {
        let mode = mode?.value ?? likelyMode
        warnOfOthers(mode, &notes)
        if !broken.isEmpty { return nil }
        switch mode {
        case .listen: return listen(&notes)
        case .dial: return dial(&notes)
        case .nats: return nats(&notes)
        }
    }

    /// Where no mode is written: a URL is there to be dialled.
    private var likelyMode: Mode {
        guard let url = url?.value else { return .listen }
        return url.hasPrefix("nats://") ? .nats : .dial
    }

    private func listen(_ notes: inout [SettingsNote]) -> PushSettings? {
        var listen = ListenSettings()
        if let address { listen.address = address.value }
        listen.certificate = certificate?.value
        listen.certificateKey = certificateKey?.value
        guard (certificate == nil) == (certificateKey == nil) else {
            note(&notes, certificate ?? certificateKey, "certificate", "certificate and certificateKey go together")
            return nil
        }
        guard certificate != nil || listen.address.isLoopback || allowsPlaintext else {
            note(
                &notes, address, "address",
                "\(listen.address) can be reached from elsewhere; give certificate and certificateKey, "
                    + "or allowPlaintext: true on a trusted wire")
            return nil
        }
        return .listen(listen)
    }

    private func dial(_ notes: inout [SettingsNote]) -> PushSettings? {
        guard let url else {
            note(&notes, mode, "mode", "dialling needs a url such as \"tls://hub.example:7789\"")
            return nil
        }
        let rest = url.value.after("tls://") ?? url.value.after("tcp://")
        guard let rest,
            let hub = HostAddress(rest.hasSuffix("/") ? String(rest.dropLast()) : rest, usualPort: Self.usualHubPort)
        else {
            note(&notes, url, "url", "a hub is tls://HOST:PORT or tcp://HOST:PORT")
            return nil
        }
        let usesTLS = url.value.hasPrefix("tls://")
        guard usesTLS || hub.isLoopback || allowsPlaintext else {
            note(
                &notes, url, "url",
                "plain TCP to \(hub) can be read and altered on its way; use tls://, "
                    + "or allowPlaintext: true on a trusted wire")
            return nil
        }
        return .dial(
            DialSettings(hub: hub, usesTLS: usesTLS, ca: ca?.value, heartbeat: heartbeat.map { .seconds($0.value) }))
    }

    private func nats(_ notes: inout [SettingsNote]) -> PushSettings? {
        let servers = (url?.value ?? "").split(separator: ",").map { String($0.filter { $0 != " " }) }
        let hosts = servers.map(Self.natsHost)
        guard let url, !servers.isEmpty, !hosts.contains(nil) else {
            note(
                &notes, url, "url",
                "NATS needs a url such as \"nats://nats.example:4222\", or several with commas between")
            return nil
        }
        let usesTLS = ca != nil || servers.allSatisfy { $0.hasPrefix("tls://") }
        guard usesTLS || allowsPlaintext || hosts.allSatisfy({ $0?.isLoopback == true }) else {
            note(
                &notes, url, "url",
                "plain TCP to \(hosts.compactMap { $0?.description }.joined(separator: ", ")) can be read and altered on "
                    + "its way; use tls:// or give ca, or allowPlaintext: true on a trusted wire")
            return nil
        }
        return .nats(
            NATSSettings(
                url: url.value, servers: servers, usesTLS: usesTLS, ca: ca?.value, credentials: credentials?.value,
                shard: shard?.value))
    }

    private static func natsHost(_ server: String) -> HostAddress? {
        guard let rest = server.after("nats://") ?? server.after("tls://") else { return nil }
        let place = rest.split(separator: "@", omittingEmptySubsequences: false).last.map(String.init) ?? rest
        return HostAddress(place.hasSuffix("/") ? String(place.dropLast()) : place, usualPort: usualNATSPort)
    }

    /// Names that mean nothing in this mode were probably not meant so.
    private func warnOfOthers(_ mode: Mode, _ notes: inout [SettingsNote]) {
        func warn<Value>(_ written: Written<Value>?, _ name: String, _ modes: Set<Mode>) {
            guard let written, !modes.contains(mode) else { return }
            notes.append(
                SettingsNote(
                    .warning, layer: written.layer, line: written.line, name: "push." + name,
                    "means nothing where mode is \"\(mode.rawValue)\""))
        }
        warn(address, "address", [.listen])
        warn(certificate, "certificate", [.listen])
        warn(certificateKey, "certificateKey", [.listen])
        warn(url, "url", [.dial, .nats])
        warn(ca, "ca", [.dial, .nats])
        warn(credentials, "credentials", [.nats])
        warn(heartbeat, "heartbeat", [.dial])
        warn(shard, "shard", [.nats])
    }

    private func note<Value>(_ notes: inout [SettingsNote], _ written: Written<Value>?, _ name: String, _ text: String)
    {
        notes.append(
            SettingsNote(.fault, layer: written?.layer ?? "push", line: written?.line ?? 0, name: "push." + name, text))
    }
}

// Settings as text: what `config show` prints and `config get` answers. Nothing secret is in it: keys and certificates
// appear as the paths of their files, and a password inside a URL is left out.

import BoxFoundation

extension Settings {
    /// Dotted names and values, in the order of the page.
    package func describe() -> [(name: String, value: String)] {
        var lines: [(String, String)] = []
        func add(_ name: String, _ value: String?) { if let value { lines.append((name, value)) } }
        add("box", box ?? "from the machine's id")
        add("state", state)
        add("key", keyPath)
        lines += push?.describe() ?? [("push.mode", "unusable; config check names the fault")]
        add("voice.language", voice.language)
        add("voice.also", voice.also.isEmpty ? "none" : voice.also.joined(separator: ", "))
        add("voice.pack", voice.pack ?? "built in")
        add("voice.two", voice.two.rawValue)
        add("voice.decimals", voice.decimals.rawValue)
        add("voice.rush", String(voice.rush))
        add("voice.chime", voice.chime ?? "none")
        add("voice.quiet.from", voice.quiet.map { Self.clock($0.from) } ?? "none")
        add("voice.quiet.to", voice.quiet.map { Self.clock($0.to) })
        add("voice.quiet.volume", voice.quiet.map { String($0.volume) })
        add("speaker.alsa", speaker.alsa ?? "none")
        add("speaker.leadIn", "\(speaker.leadIn.milliseconds) ms")
        add("speaker.hold", "\(speaker.hold.milliseconds) ms")
        add("printer.url", printer.address.description)
        add("printer.profile", printer.profile)
        add("printer.drawer", printer.drawer.rawValue)
        add("printer.buzzer", printer.buzzer ? "true" : "false")
        add("light.brightness", String(light.brightness))
        add("console.port", console.port ?? "none")
        return lines
    }

    private static func clock(_ minutes: Int) -> String {
        func two(_ n: Int) -> String { n < 10 ? "0\(n)" : String(n) }
        return "\(two(minutes / 60)):\(two(minutes % 60))"
    }
}

extension PushSettings {
    fileprivate func describe() -> [(String, String)] {
        switch self {
        case .listen(let listen):
            [("push.mode", "listen"), ("push.address", listen.address.description)]
                + optional("push.certificate", listen.certificate)
                + optional("push.certificateKey", listen.certificateKey)
        case .dial(let dial):
            [("push.mode", "dial"), ("push.url", (dial.usesTLS ? "tls://" : "tcp://") + dial.hub.description)]
                + optional("push.ca", dial.ca) + optional("push.heartbeat", dial.heartbeat.map { "\($0.seconds) s" })
        case .nats(let nats):
            [("push.mode", "nats"), ("push.url", AddressText.withoutUser(nats.url))]
                + optional("push.ca", nats.ca) + optional("push.credentials", nats.credentials)
                + optional("push.shard", nats.shard.map { "\($0)" })
        }
    }

    private func optional(_ name: String, _ value: String?) -> [(String, String)] { value.map { [(name, $0)] } ?? [] }
}

// The box's settings as they were meant: every name has its default, and what is here is in range. SettingsReader makes
// them from the configuration's layers; docs/configuration.md has the page for people.

import BoxFoundation
import HardwareInterface

/// Every setting with its default, in range (docs/configuration.md).
package struct Settings: Equatable, Sendable {
    /// nil: made from the machine's id.
    package var box: String?
    /// The folder of journal, spool, volume and key.
    package var state = "/var/lib/counterbox"
    /// The key's file; nil: `box.key` in the state folder.
    package var key: String?
    /// nil where what is configured cannot be used; a fault says why.
    package var push: PushSettings? = .listen(ListenSettings())
    package var voice = VoiceSettings()
    package var speaker = SpeakerSettings()
    package var printer = PrinterSettings()
    package var light = LightSettings()
    package var console = ConsoleSettings()

    package init() {}

    package var keyPath: String { key ?? state + "/box.key" }
}

/// How pushes come in.
package enum PushSettings: Equatable, Sendable {
    case listen(ListenSettings)
    case dial(DialSettings)
    case nats(NATSSettings)
}

/// A box that listens: TCP on loopback, or TLS where it shows a certificate.
package struct ListenSettings: Equatable, Sendable {
    package var address = HostAddress(host: "127.0.0.1", port: 7788)
    /// PEM files; both or none. With them the box speaks TLS.
    package var certificate: String?
    package var certificateKey: String?

    package init() {}
}

/// A box that dials its hub.
package struct DialSettings: Equatable, Sendable {
    package var hub: HostAddress
    package var usesTLS: Bool
    /// A PEM file; nil is the system's trust.
    package var ca: String?
    /// The box's own upper bound of the heartbeat, 10 to 120 s; nil is what the hub says.
    package var heartbeat: Interval?

    package init(hub: HostAddress, usesTLS: Bool, ca: String? = nil, heartbeat: Interval? = nil) {
        self.hub = hub
        self.usesTLS = usesTLS
        self.ca = ca
        self.heartbeat = heartbeat
    }
}

/// A fleet's box: the servers of one cluster, of which it uses any (docs/fleet.md).
package struct NATSSettings: Equatable, Sendable {
    /// As written: one server, or all of a cluster's with commas between.
    package var url: String
    package var servers: [String]
    package var usesTLS: Bool
    /// A PEM file; nil is the system's trust.
    package var ca: String?
    /// A file with an nkey's seed, or with a JWT and its seed.
    package var credentials: String?
    /// Which of the fleet's push streams has this box, from 0; nil where there is one.
    package var shard: Int?

    package init(
        url: String, servers: [String], usesTLS: Bool, ca: String? = nil, credentials: String? = nil, shard: Int? = nil
    ) {
        self.url = url
        self.servers = servers
        self.usesTLS = usesTLS
        self.ca = ca
        self.credentials = credentials
        self.shard = shard
    }
}

/// What is spoken, and how (docs/voice.md).
package struct VoiceSettings: Equatable, Sendable {
    /// 两 where a native speaker says it, or always 二.
    package enum Two: String, CaseIterable, Sendable { case liang, er }
    /// 十二点五元 or 十二元五角.
    package enum Decimals: String, CaseIterable, Sendable { case point, jiaofen }

    package var language = "zh-CN"
    /// Languages that pushes may ask for besides; each takes the memory of its pack.
    package var also: [String] = []
    /// A folder; nil is the built-in pack of the language.
    package var pack: String?
    package var two = Two.liang
    package var decimals = Decimals.point
    /// Phrases that keep their own place before payments are merged.
    package var rush = 6
    /// A chime before the phrase by its name; nil for none.
    package var chime: String?
    package var quiet: QuietHours?

    package init() {}
}

/// Every day from one time of day to another, over midnight where `to` is not after `from`.
package struct QuietHours: Equatable, Sendable {
    /// Minutes since midnight.
    package var from: Int
    package var to: Int
    /// 0 to 100.
    package var volume: Int

    package init(from: Int, to: Int, volume: Int) {
        self.from = from
        self.to = to
        self.volume = volume
    }

    package func contains(hour: Int, minute: Int) -> Bool {
        let now = hour * 60 + minute
        return from < to ? (from..<to).contains(now) : now >= from || now < to
    }
}

/// The sound device by ALSA's name; nil means that there is none.
package struct SpeakerSettings: Equatable, Sendable {
    /// ALSA's name; nil: there is none.
    package var alsa: String? = "default"
    /// Silence before the first phrase after idle.
    package var leadIn = Interval.milliseconds(200)
    /// How long the device is held open after a phrase.
    package var hold = Interval.milliseconds(2000)

    package init() {}
}

/// Where the printer is, what kind it is, and whether a drawer or a buzzer hangs on it.
package struct PrinterSettings: Equatable, Sendable {
    /// For which payments and refunds the cash drawer opens.
    package enum Drawer: String, CaseIterable, Sendable { case none, cash, all }

    package var address = PrinterAddress.none
    package var profile = "generic-58mm"
    package var drawer = Drawer.none
    /// The printer's buzzer sounds with each receipt.
    package var buzzer = false

    package init() {}
}

/// The light's brightness, 0 to 100.
package struct LightSettings: Equatable, Sendable {
    /// Of a lit light, 0 to 100.
    package var brightness = 100

    package init() {}
}

/// The technician's terminal by its device; nil means that there is none.
package struct ConsoleSettings: Equatable, Sendable {
    /// A terminal's device; nil: there is none.
    package var port: String? = "/dev/ttyGS0"

    package init() {}
}

// What the machine says of itself.

import BoxFoundation
import CALSA
import CLinux
import CTLS
import Glibc

/// Model, id and versions of this machine.
package enum Machine {
    /// The model of the device tree (`Raspberry Pi 4 Model B Rev 1.4`); nil on a machine that has none.
    package static var model: String? {
        guard let bytes = try? Files.read("/proc/device-tree/model", limit: 256) else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// A name that stays this machine's: `box-` and twelve digits of systemd's machine id, hashed no further since it is
    /// shown to hubs only.
    package static var boxID: String {
        guard let bytes = try? Files.read("/etc/machine-id", limit: 64), bytes.count >= 32 else { return "box" }
        let digits = bytes.prefix(12).filter { ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) }
        return digits.isEmpty ? "box" : "box-" + String(decoding: digits, as: UTF8.self)
    }

    /// What this software stands on, for support: a name and a value each.
    package static var versions: [(name: String, value: String)] {
        var versions = [(name: "machine", value: model ?? "no device tree")]
        if let system = osName { versions.append(("system", system)) }
        var names = utsname()
        if uname(&names) == 0 {
            versions.append(("kernel", text(names.release) + " " + text(names.machine)))
        }
        return versions + [
            ("alsa", String(cString: snd_asoundlib_version())), ("gpio", GPIOChips.library),
            ("tls", tls),
        ]
    }

    private static var tls: String {
        tls_is_loaded() != 0
            ? String(cString: OpenSSL_version(OPENSSL_VERSION)) : "not in use; built for \(OPENSSL_VERSION_TEXT)"
    }

    private static var osName: String? {
        guard let bytes = try? Files.read("/etc/os-release", limit: 4096) else { return nil }
        let start = "PRETTY_NAME="
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(start) }
        return line.map { String($0.dropFirst(start.count).filter { $0 != "\"" }) }
    }

    private static func text<Bytes>(_ bytes: Bytes) -> String {
        withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// A number that no start before had.
    package static var seed: UInt64 {
        var random = SystemRandomNumberGenerator()
        return random.next()
    }
}

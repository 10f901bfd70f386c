// What a new box is told by one file on its boot partition: settings, the secret that it shares with its hub, the Wi-Fi and
// the time zone. docs: docs/installing.md

import BoxFoundation

/// A new box's file on its boot partition, judged whole: with one fault in it nothing is taken (docs/installing.md).
package struct SetupFile: Equatable, Sendable {
    package static let name = "counterbox-setup.json5"
    /// Where the files that it brings go: the settings name them there.
    package static let filesFolder = "/etc/counterbox"

    /// The configuration's own names; empty: nothing is changed of it.
    package var settings = JSONObject()
    /// 64 hex digits.
    package var key: String?
    package var wifi: WiFi?
    /// Names of files beside this one, 8 at most: certificates, a fleet's credentials. They go to `filesFolder`.
    package var files: [String] = []
    /// A name of the time zone database.
    package var timeZone: String?

    /// A wireless network, as wpa_supplicant is told of it.
    package struct WiFi: Equatable, Sendable {
        /// Two letters of ISO 3166: which channels may be used.
        package var country: String
        /// 1 to 32 bytes.
        package var network: String
        /// 8 to 63 printable characters of ASCII; nil: an open network.
        package var password: String?
        package var isHidden = false

        package init(country: String, network: String, password: String? = nil, isHidden: Bool = false) {
            self.country = country
            self.network = network
            self.password = password
            self.isHidden = isHidden
        }
    }

    package init() {}

    /// - Returns: the file's content and what is wrong with it; where a note is a fault, it is not to be used.
    package static func read(_ bytes: [UInt8], file: String) -> (setup: SetupFile, notes: [SettingsNote]) {
        var setup = SetupFile()
        do throws(JSONFault) {
            guard let object = try JSONReader.read(bytes, as: .json5).object else {
                let text = "a setup stands in braces: { … }"
                return (setup, [SettingsNote(.fault, layer: file, line: 1, name: "", text)])
            }
            var section = SettingsSection(object, layer: file)
            let notes = setup.read(&section)
            return (setup, section.notes + section.unknown() + notes)
        } catch {
            return (setup, [SettingsNote(.fault, layer: file, line: error.line, name: "", error.message)])
        }
    }

    /// - Returns: what is wrong with the settings within.
    private mutating func read(_ section: inout SettingsSection) -> [SettingsNote] {
        key = section.secret("key", "64 hex digits in quotes") {
            $0.string.flatMap { $0.utf8.count == 64 && $0.allSatisfy(\.isHexDigit) ? $0.lowercased() : nil }
        }
        timeZone = section.read("timeZone", "a time zone such as \"Asia/Shanghai\"", Self.zone)
        files =
            section.read(
                "files", "a list of up to 8 names such as [\"hub-ca.pem\"], of files beside this one", Self.names) ?? []
        if var wifi = section.section("wifi") {
            self.wifi = WiFi(reading: &wifi)
            section.finish(wifi)
        }
        guard let settings = section.read("settings", "an object in braces", \.object) else { return [] }
        self.settings = settings
        if key != nil, settings["key"] != nil {
            section.fault("key", "the key stands here or settings.key names its file, not both")
        }
        return Self.notes(of: settings, in: section.layer) + filesThatAreNotBrought(section.layer)
    }

    /// The settings name a file where this one's files go, and it is none of them.
    private func filesThatAreNotBrought(_ layer: String) -> [SettingsNote] {
        guard let push = settings.member("push"), let object = push.value.object else { return [] }
        return ["ca", "certificate", "certificateKey", "credentials"].compactMap { name in
            guard let path = object[name]?.string, path.hasPrefix(Self.filesFolder + "/"),
                !files.contains(String(path.dropFirst(Self.filesFolder.utf8.count + 1)))
            else { return nil }
            return SettingsNote(
                .warning, layer: layer, line: Int(push.line), name: "settings.push.\(name)",
                "\(path) is not among files: it has to be on the box already")
        }
    }

    /// No folders, and nothing that the box has there under a name of its own.
    private static func names(_ value: JSON) -> [String]? {
        guard let values = value.array, values.count <= 8 else { return nil }
        let names = values.compactMap(\.string).filter { name in
            (1...64).contains(name.utf8.count) && !name.hasPrefix(".") && !name.hasPrefix("-")
                && !name.lowercased().hasPrefix("counterbox")
                && name.utf8.allSatisfy {
                    (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                        || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                }
        }
        return names.count == values.count && Set(names).count == names.count ? names : nil
    }

    private static func notes(of settings: JSONObject, in file: String) -> [SettingsNote] {
        var notes = SettingsReader.read(settings, within: file).notes
        for i in notes.indices { notes[i].name = "settings." + notes[i].name }
        if let state = settings.member("state") {
            let text =
                "a box that is set up by this file keeps its state in \(Settings().state), with its key: leave it out"
            notes.append(SettingsNote(.fault, layer: file, line: Int(state.line), name: "settings.state", text))
        }
        return notes
    }

    private static func zone(_ value: JSON) -> String? {
        let isName = { (byte: UInt8) in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
        }
        guard let text = value.string, text.utf8.count <= 64 else { return nil }
        let names = text.split(separator: "/", omittingEmptySubsequences: false)
        return names.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isName) } ? text : nil
    }
}

extension SetupFile.WiFi {
    fileprivate init?(reading section: inout SettingsSection) {
        let country = section.read("country", "two letters such as \"CN\"") {
            $0.string.flatMap { $0.utf8.count == 2 && $0.utf8.allSatisfy { (0x41...0x5A).contains($0) } ? $0 : nil }
        }
        let network = section.read("network", "a network's name of 1 to 32 bytes") {
            $0.string.flatMap { (1...32).contains($0.utf8.count) ? $0 : nil }
        }
        let password = section.secret("password", "8 to 63 characters of ASCII") {
            $0.string.flatMap { text in
                (8...63).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? text : nil
            }
        }
        let isHidden = section.bool("hidden") ?? false
        guard let country, let network else {
            if section.notes.isEmpty { section.fault("network", "Wi-Fi needs country and network") }
            return nil
        }
        self.init(country: country, network: network, password: password, isHidden: isHidden)
    }

    /// The file of wpa_supplicant(8). The name goes as hex, and the password is taken up to its line's last quote: neither
    /// can be read as something else.
    package var configuration: String {
        let hex = network.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let secret = password.map { "    psk=\"\($0)\"\n    key_mgmt=WPA-PSK WPA-PSK-SHA256 SAE\n    ieee80211w=1\n" }
        return "country=\(country)\nnetwork={\n    ssid=\(hex)\n" + (isHidden ? "    scan_ssid=1\n" : "")
            + (secret ?? "    key_mgmt=NONE\n") + "}\n"
    }
}

// Where a printer is: the `printer.url` of the configuration, read once.

import BoxFoundation

/// What carries a printer's bytes. Causes and cures differ by it.
package enum PrinterCarrier: String, CaseIterable, Sendable { case none, tcp, file, serial, bluetooth }

/// Where a printer is: `printer.url`, read (docs/configuration.md).
package enum PrinterAddress: Equatable, Sendable {
    case none
    /// `tcp://host:port`; the host is a name, an IPv4 address, or an IPv6 address that was written in brackets.
    case tcp(host: String, port: UInt16)
    /// `file:PATH`: a regular file is appended to, a device file (`/dev/usb/lp0`) is opened as one.
    case file(path: String)
    /// `serial:PATH?baud=N`: 8 data bits, no parity, one stop bit.
    case serial(path: String, baud: Int)
    /// `bluetooth://ADDRESS[?channel=N]`: capital hex with colons. nil asks the printer for its serial port's channel.
    case bluetooth(address: String, channel: UInt8?)

    package static let defaultPort: UInt16 = 9100
    package static let defaultBaud = 9600
    package static let bauds = [1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400]

    /// Something that may answer is behind it: a plain file would only keep the questions.
    package var canAnswer: Bool {
        switch self {
        case .none: false
        case .file(let path): path.hasPrefix("/dev/")
        case .tcp, .serial, .bluetooth: true
        }
    }

    package var carrier: PrinterCarrier {
        switch self {
        case .none: .none
        case .tcp: .tcp
        case .file: .file
        case .serial: .serial
        case .bluetooth: .bluetooth
        }
    }
}

extension PrinterAddress: CustomStringConvertible {
    /// As it stands in the configuration.
    package var description: String {
        switch self {
        case .none: "none"
        case .tcp(let host, let port): "tcp://" + (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
        case .file(let path): "file:\(path)"
        case .serial(let path, let baud): "serial:\(path)?baud=\(baud)"
        case .bluetooth(let address, let channel): "bluetooth://\(address)" + (channel.map { "?channel=\($0)" } ?? "")
        }
    }
}

/// A `printer.url` that is none; `description` says what is wrong and how one looks.
package struct PrinterAddressError: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
}

extension PrinterAddress {
    package init(url: String) throws(PrinterAddressError) {
        if url == "none" {
            self = .none
        } else if let rest = Self.rest(of: url, after: "tcp://") {
            self = try Self.tcp(rest.hasSuffix("/") ? String(rest.dropLast()) : rest)
        } else if let path = Self.rest(of: url, after: "file:") {
            self = .file(path: try Self.path(path, in: url))
        } else if let rest = Self.rest(of: url, after: "serial:") {
            self = try Self.serial(rest)
        } else if let rest = Self.rest(of: url, after: "bluetooth://") {
            self = try Self.bluetooth(rest)
        } else {
            throw PrinterAddressError(
                description: "'\(url)' is no printer's address; one of tcp://HOST:9100, file:PATH, "
                    + "serial:/dev/ttyUSB0?baud=9600, bluetooth://ADDRESS, none")
        }
    }

    private static func tcp(_ rest: String) throws(PrinterAddressError) -> PrinterAddress {
        let wrong = PrinterAddressError(description: "'tcp://\(rest)' should look like tcp://192.168.1.50:9100")
        let host: Substring
        let tail: Substring
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            host = rest[rest.index(after: rest.startIndex)..<end]
            tail = rest[rest.index(after: end)...]
        } else {
            let colon = rest.firstIndex(of: ":") ?? rest.endIndex
            host = rest[..<colon]
            tail = rest[colon...]
        }
        guard !host.isEmpty, !host.contains("/") else { throw wrong }
        if tail.isEmpty { return .tcp(host: String(host), port: defaultPort) }
        guard tail.first == ":", let port = UInt16(tail.dropFirst()), port > 0 else { throw wrong }
        return .tcp(host: String(host), port: port)
    }

    private static func serial(_ rest: String) throws(PrinterAddressError) -> PrinterAddress {
        let (path, options) = split(rest)
        guard let options else { return .serial(path: try self.path(path, in: rest), baud: defaultBaud) }
        guard let digits = self.rest(of: options, after: "baud="), let baud = Int(digits), bauds.contains(baud) else {
            throw PrinterAddressError(
                description: "'\(options)' should be baud= and one of "
                    + bauds.map(String.init).joined(separator: ", "))
        }
        return .serial(path: try self.path(path, in: rest), baud: baud)
    }

    /// What a person writes for a device: its address, or the address within a `printer.url`; in capitals.
    package static func bluetoothAddress(_ word: String) throws(PrinterAddressError) -> String {
        let text = split(rest(of: word, after: "bluetooth://") ?? word).0
        let digits = text.split(separator: ":", omittingEmptySubsequences: false)
        guard digits.count == 6, digits.allSatisfy({ $0.utf8.count == 2 && Hex.bytes($0.lowercased()) != nil }) else {
            throw PrinterAddressError(
                description: "'\(text)' is no Bluetooth address; one looks like DC:0D:30:00:00:01")
        }
        return text.uppercased()
    }

    private static func bluetooth(_ rest: String) throws(PrinterAddressError) -> PrinterAddress {
        let (text, options) = split(rest)
        let address = try bluetoothAddress(text)
        guard let options else { return .bluetooth(address: address, channel: nil) }
        guard let n = self.rest(of: options, after: "channel="), let channel = UInt8(n), (1...30).contains(channel)
        else { throw PrinterAddressError(description: "'\(options)' should be channel= and a number from 1 to 30") }
        return .bluetooth(address: address, channel: channel)
    }

    private static func path(_ path: String, in url: String) throws(PrinterAddressError) -> String {
        let path = path.hasPrefix("//") ? String(path.dropFirst(2)) : path
        guard path.hasPrefix("/"), path.utf8.count > 1, !path.utf8.contains(0) else {
            throw PrinterAddressError(description: "'\(url)' should name a file from the root on, such as /dev/usb/lp0")
        }
        return path
    }

    private static func split(_ rest: String) -> (String, String?) {
        guard let mark = rest.firstIndex(of: "?") else { return (rest, nil) }
        return (String(rest[..<mark]), String(rest[rest.index(after: mark)...]))
    }

    private static func rest(of text: String, after prefix: String) -> String? {
        text.hasPrefix(prefix) ? String(text.dropFirst(prefix.utf8.count)) : nil
    }
}

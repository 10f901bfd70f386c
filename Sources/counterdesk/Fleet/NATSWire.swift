// The protocol of NATS as a client speaks it: lines of text, and messages with their bytes behind them. Small on purpose:
// it is what ten thousand boxes of a load, and a back end of a test, need.

import BoxFoundation
import HardwareInterface

/// A client's side of NATS' protocol: bytes in, items out.
package struct NATSWire {
    /// What a server sent.
    package enum Item: Equatable {
        case info
        case ping
        case pong
        /// By the number of the subscription.
        case message(Int, FleetMessage)
        /// The server's words.
        case error(String)
        /// Not the protocol of NATS.
        case noise
    }

    /// Bytes of a line at most.
    private static let mostLine = 64 << 10
    private static let end: [UInt8] = [13, 10]

    private var bytes: [UInt8] = []
    /// Where in `bytes` what was not read begins.
    private var start = 0

    package init() {}

    // MARK: - Out

    package static func connect(name: String) -> [UInt8] {
        let object = JSON.object([
            "verbose": false, "pedantic": false, "headers": true, "no_responders": true, "lang": "swift",
            "version": "1",
            "protocol": 1, "name": .string(name),
        ])
        return Array("CONNECT ".utf8) + object.bytes + end + Array("PING\r\n".utf8)
    }

    package static func subscribe(_ subject: String, as number: Int) -> [UInt8] {
        Array("SUB \(subject) \(number)\r\n".utf8)
    }

    package static let pong = Array("PONG\r\n".utf8)

    package static func publish(_ message: FleetMessage) -> [UInt8] {
        let reply = message.reply.map { $0 + " " } ?? ""
        guard !message.headers.isEmpty else {
            return Array("PUB \(message.subject) \(reply)\(message.payload.count)\r\n".utf8) + message.payload + end
        }
        let lines = message.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        let head = Array("NATS/1.0\r\n\(lines)\r\n".utf8)
        let sizes = "\(head.count) \(head.count + message.payload.count)"
        return Array("HPUB \(message.subject) \(reply)\(sizes)\r\n".utf8) + head + message.payload + end
    }

    // MARK: - In

    package mutating func receive(_ more: [UInt8]) {
        if start > 0, start == bytes.count || start > 256 << 10 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes += more
    }

    /// - Returns: nil when there is nothing whole.
    package mutating func next() -> Item? {
        guard let stop = bytes[start...].firstIndex(of: 10) else {
            return bytes.count - start > Self.mostLine ? .noise : nil
        }
        var line = String(decoding: bytes[start..<stop], as: UTF8.self)
        if line.hasSuffix("\r") { line.removeLast() }
        let words = line.split(separator: " ").map(String.init)
        switch words.first {
        case "MSG", "HMSG": return message(words, behind: stop + 1)
        default:
            start = stop + 1
            return Self.item(line, words)
        }
    }

    private static func item(_ line: String, _ words: [String]) -> Item {
        switch words.first {
        case "INFO": .info
        case "PING": .ping
        case "PONG", "+OK": .pong
        case "-ERR": .error(String(line.dropFirst(5)).filter { $0 != "'" })
        default: .noise
        }
    }

    /// `MSG subject number [reply] size` or `HMSG subject number [reply] headers size`, and the bytes.
    private mutating func message(_ words: [String], behind place: Int) -> Item? {
        let hasHeaders = words[0] == "HMSG"
        let least = hasHeaders ? 5 : 4
        guard words.count == least || words.count == least + 1, let number = Int(words[2]),
            let size = words.last.flatMap({ Int($0) }), size >= 0,
            let head = hasHeaders ? Int(words[words.count - 2]) : 0, (0...size).contains(head)
        else { return .noise }
        guard bytes.count >= place + size + 2 else { return nil }
        var message = FleetMessage(words[1], reply: words.count == least ? nil : words[3])
        message.payload = Array(bytes[(place + head)..<(place + size)])
        Self.read(String(decoding: bytes[place..<(place + head)], as: UTF8.self), into: &message)
        start = place + size + 2
        return .message(number, message)
    }

    private static func read(_ head: String, into message: inout FleetMessage) {
        let lines = head.split(whereSeparator: \.isNewline)
        message.status = lines.first.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) }
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            message.headers.append(FleetMessage.Header(String(line[..<colon]), String(value)))
        }
    }
}

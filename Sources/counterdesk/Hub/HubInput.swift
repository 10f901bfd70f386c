// What the hub is to push, a JSON line each.

import BoxFoundation
import Glibc
import HardwareLinux
import PushProtocol

/// One line: to one box, or to all.
package struct HubOrder: Equatable {
    /// nil: every box.
    package var box: String?
    package var push: OutgoingPush

    /// - Throws: the reason, in one line.
    package init(_ line: [UInt8], at time: WallTime, id makeID: () -> String) throws(HubInputFault) {
        let json: JSON
        do {
            json = try JSONReader.read(line)
        } catch {
            throw HubInputFault(message: "no JSON: \(error.message)")
        }
        guard let object = json.object else { throw HubInputFault(message: "not an object") }
        // No dialect has a `body` at the top.
        guard let body = object["body"] else {
            push = OutgoingPush(id: makeID(), sent: time, body: json)
            try check()
            return
        }
        if let value = object["box"], value != .null {
            guard let name = value.string else { throw HubInputFault(message: "box is a text") }
            box = name
        }
        if let id = object["id"], id.string == nil { throw HubInputFault(message: "id is a text") }
        push = OutgoingPush(
            id: object["id"]?.string ?? makeID(), sent: time,
            ttl: object["ttl"]?.integer.flatMap { (0...315_360_000).contains($0) ? Int($0) : nil }, body: body)
        try check()
    }

    private func check() throws(HubInputFault) {
        guard push.isGood else { throw HubInputFault(message: "its id is none, or it is over a frame's limit") }
    }
}

/// Why a line is no push.
package struct HubInputFault: Error, Equatable {
    package var message: String
}

/// Standard input in lines, on the loop.
final class HubInput {
    /// A line at most; a longer one is left out.
    private static let mostLine = 1 << 17

    private let loop: EpollLoop
    private let onLine: ([UInt8]) -> Void
    private let onEnd: () -> Void
    private var line: [UInt8] = []
    private var chunk = [UInt8](repeating: 0, count: 1 << 16)

    init(on loop: EpollLoop, onLine: @escaping ([UInt8]) -> Void, onEnd: @escaping () -> Void) {
        self.loop = loop
        self.onLine = onLine
        self.onEnd = onEnd
        loop.watch(STDIN_FILENO, for: .readable) { [unowned self] _ in read() }
    }

    /// While the hub has enough to do, the input waits.
    func setReading(_ isReading: Bool) { loop.change(STDIN_FILENO, to: isReading ? .readable : []) }

    private func read() {
        let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        guard count > 0 else {
            loop.unwatch(STDIN_FILENO)
            finishLine()
            return onEnd()
        }
        take(chunk[..<count])
    }

    /// A file's lines.
    func take(_ bytes: ArraySlice<UInt8>) {
        for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if part.offset > 0 { finishLine() }
            if line.count <= Self.mostLine { line += part.element }
        }
    }

    func finishLine() {
        let bytes = line
        line = []
        if bytes.contains(where: { $0 > 0x20 }) { onLine(bytes) }
    }
}

// Reads the roll that came out of the printer: receipts one after another, whole or torn, marked or not. It looks at what a
// person would see and knows nothing of the jobs.

import BoxFoundation
import ReceiptPrinting

/// One receipt on the roll.
struct SeenReceipt: Equatable {
    /// 补打 stands at its head.
    var isMarked: Bool
    /// It came out to its end.
    var isWhole: Bool
    /// All of its text, spaces left out.
    var text: String
}

struct PaperReader {
    /// What every job begins with: `ESC @`.
    private static let start: [UInt8] = [0x1B, 0x40]

    private let profile: PrinterProfile
    private var rest: [UInt8] = []
    private var connection = -1

    init(_ profile: PrinterProfile) { self.profile = profile }

    /// - Parameters:
    ///   - paper: what came out since the last call, by the connection that it came over.
    ///   - isLast: nothing more follows what was begun.
    mutating func read(_ paper: [(connection: Int, bytes: [UInt8])], isLast: Bool = false) -> [SeenReceipt] {
        var receipts: [SeenReceipt] = []
        for (connection, bytes) in paper {
            if connection != self.connection {
                // A new connection begins with a job of its own: what came before it has ended.
                receipts += takeRest()
                self.connection = connection
            }
            rest += bytes
            receipts += takeWhole()
        }
        if isLast { receipts += takeRest() }
        return receipts
    }

    private mutating func takeWhole() -> [SeenReceipt] {
        var receipts: [SeenReceipt] = []
        while let first = place(of: Self.start, from: 0) {
            let end = place(of: end, from: first + 2).map { $0 + 3 }
            let next = place(of: Self.start, from: first + 2)
            if let end, end <= next ?? .max {
                if let receipt = receipt(rest[first..<end], isWhole: true) { receipts.append(receipt) }
                rest.removeFirst(end)
            } else if let next {
                if let receipt = receipt(rest[first..<next], isWhole: false) { receipts.append(receipt) }
                rest.removeFirst(next)
            } else {
                break
            }
        }
        return receipts
    }

    private func place(of sign: [UInt8], from start: Int) -> Int? {
        guard rest.count >= start + sign.count else { return nil }
        return (start...(rest.count - sign.count)).first { rest[$0] == sign[0] && rest[$0...].starts(with: sign) }
    }

    /// `ESC d n` is the last command of a job for a printer without a cutter.
    private var end: [UInt8] { [0x1B, 0x64, UInt8(profile.feedBeforeCut)] }

    private mutating func takeRest() -> [SeenReceipt] {
        defer { rest = [] }
        guard let first = place(of: Self.start, from: 0) else { return [] }
        return receipt(rest[first...], isWhole: false).map { [$0] } ?? []
    }

    private func receipt(_ bytes: ArraySlice<UInt8>, isWhole: Bool) -> SeenReceipt? {
        guard var printer = VirtualPrinter(profile: profile) else { return nil }
        printer.print(Array(bytes))
        let text = printer.roll.text(showsCodes: true).filter { $0 != " " }
        return SeenReceipt(isMarked: text.hasPrefix("补打"), isWhole: isWhole, text: text)
    }
}

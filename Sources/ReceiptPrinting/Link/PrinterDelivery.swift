// One receipt on its way through the link.

struct PrinterDelivery: Sendable {
    enum Stage: Equatable, Sendable {
        case sending
        /// All bytes are taken, not all drained.
        case draining
        /// Drained; the status is being asked.
        case checking
        /// Drained; the process id is awaited.
        case confirming
    }

    let data: PrinterData
    /// What the printer answers when it has printed all; nil where it cannot.
    let processID: [UInt8]?
    var stage = Stage.sending
    /// The printer was asked in the middle and did not answer: it is not asked again before the end.
    var isUnanswered = false
    /// Times that the process id was asked for again.
    var confirmationRepeats = 0
    /// Bytes taken.
    private(set) var taken = 0
    /// Index of the first break beyond `taken`.
    private var nextBreak = 0

    init(_ data: PrinterData, processID: [UInt8]?) {
        var data = data
        if let processID {
            data.breaks.append(data.bytes.count)
            data.bytes += Self.confirmationCommand(processID)
        }
        self.data = data
        self.processID = processID
    }

    /// `GS ( H` function 48: the printer answers with the number when all before it is printed.
    private static func confirmationCommand(_ processID: [UInt8]) -> [UInt8] {
        [0x1D, 0x28, 0x48, 0x06, 0x00, 0x30, 0x30] + processID
    }

    var confirmationCommand: [UInt8]? { processID.map(Self.confirmationCommand) }

    /// From the first byte taken to the last byte drained (`docs/product.md`, Printer).
    var isInside: Bool { taken > 0 && (stage == .sending || stage == .draining) }
    var isDrained: Bool { stage == .checking || stage == .confirming }
    var rest: Int { data.bytes.count - taken }

    var isAtBreak: Bool {
        taken == 0 || rest == 0 || (nextBreak > 0 && data.breaks[nextBreak - 1] == taken)
    }
    var hasBreaks: Bool { !data.breaks.isEmpty }

    mutating func took(_ count: Int) {
        taken += count
        while nextBreak < data.breaks.count, data.breaks[nextBreak] <= taken { nextBreak += 1 }
    }

    /// The next bytes, `room` at most, to the end of a command where one ends among them.
    func chunk(room: Int) -> ArraySlice<UInt8> {
        guard room < rest else { return data.bytes[taken...] }
        let ends = data.breaks[nextBreak...].prefix { $0 <= taken + room }
        return data.bytes[taken..<(ends.last ?? taken + room)]
    }
}

// The printer itself: a small buffer, a print head of its own speed, a roll of paper, a cover. It knows nothing of links.

import BoxFoundation

/// How a simulated printer is made.
package struct SimulatedPrinterMake: Sendable {
    /// Bytes that it can hold unprinted.
    package var buffer = 4096
    /// Bytes that it prints in a second.
    package var bytesPerSecond = 5000
    /// Whether a full buffer holds the link up. Without, what does not fit is lost, as with many counter printers.
    package var hasFlowControl = true
    /// Whether it answers `DLE EOT`.
    package var answersStatus = true
    /// Whether it answers `GS ( H` function 48.
    package var confirmsJobs = false
    /// Whether it tells changes by itself (`GS a`).
    package var tellsChanges = false
    /// How long an answer takes.
    package var answerDelay = Interval.milliseconds(20)

    package init() {}
}

/// State and faults of a simulated printer; what it prints is kept byte by byte.
package struct SimulatedPrinterMachine: Sendable {
    package var make: SimulatedPrinterMake

    // What a hand can do to it.
    package var hasPaper = true
    /// Bytes that the roll lasts; nil is a roll without end.
    package var paperLeft: Int?
    package var isPaperLow = false
    package var isCoverOpen = false
    package var hasError = false
    /// It says that all is fine, whatever is.
    package var lies = false

    /// What reached paper, by the number of the connection that it came over.
    package private(set) var paper: [(connection: Int, bytes: [UInt8])] = []
    /// Bytes that found the buffer full.
    package private(set) var overflowed = 0
    /// The fullest that the buffer ever was.
    package private(set) var fullest = 0
    /// Where status questions came, as offsets in the stream of each connection.
    package private(set) var questions: [(connection: Int, offset: Int)] = []

    private var buffer: [(connection: Int, byte: UInt8)] = []
    private var head = 0
    /// Bytes of a possible question that has not come whole.
    private var partial: [UInt8] = []
    private var received: (connection: Int, count: Int) = (0, 0)
    private var movedAt = Moment.zero
    /// Nanobytes: the part of a byte that has been printed.
    private var remainder: Int64 = 0

    package init(_ make: SimulatedPrinterMake) { self.make = make }

    package var isStopped: Bool { !hasPaper || isCoverOpen || hasError }
    package var held: Int { buffer.count - head }
    package var room: Int { max(0, make.buffer - held) }

    /// Everything on paper, as one stream.
    package var printed: [UInt8] { paper.flatMap(\.bytes) }

    /// Takes bytes from the link.
    ///
    /// - Returns: the status answers they ask for.
    package mutating func receive(_ bytes: some Sequence<UInt8>, connection: Int) -> [UInt8] {
        if received.connection != connection { (received, partial) = ((connection, 0), []) }
        var answers: [UInt8] = []
        for byte in bytes { answers += receive(byte) }
        fullest = max(fullest, held)
        return answers
    }

    private mutating func receive(_ byte: UInt8) -> [UInt8] {
        guard make.answersStatus else {
            store(byte)
            return []
        }
        partial.append(byte)
        switch partial.count {
        case 1 where byte == 0x10, 2 where byte == 0x04: return []
        case 3 where (1...4).contains(byte):
            partial = []
            questions.append((received.connection, received.count))
            return [answer(to: byte)]
        default:
            let bytes = partial
            partial = []
            store(bytes[0])
            return bytes.dropFirst().flatMap { receive($0) }
        }
    }

    private mutating func store(_ byte: UInt8) {
        received.count += 1
        if held < make.buffer { buffer.append((received.connection, byte)) } else { overflowed += 1 }
    }

    private func answer(to question: UInt8) -> UInt8 {
        let paperEnd = !hasPaper
        var answer: UInt8 = 0x12
        guard !lies else { return answer }
        switch question {
        case 1: if isStopped { answer |= 0x08 }
        case 2: answer |= (isCoverOpen ? 0x04 : 0) | (paperEnd ? 0x20 : 0) | (hasError ? 0x40 : 0)
        case 3: answer |= hasError ? 0x20 : 0
        default: answer |= (isPaperLow || paperEnd ? 0x0C : 0) | (paperEnd ? 0x60 : 0)
        }
        return answer
    }

    /// What it tells of itself when something changed.
    package var automaticStatus: [UInt8] {
        [
            0x10 | (isStopped ? 0x08 : 0) | (isCoverOpen ? 0x20 : 0), hasError ? 0x20 : 0,
            (isPaperLow || !hasPaper ? 0x03 : 0) | (hasPaper ? 0 : 0x0C), 0,
        ]
    }

    /// Prints what there was time for.
    ///
    /// - Returns: the numbers of the jobs that came out, as `GS ( H` answers them.
    package mutating func run(to now: Moment) -> [UInt8] {
        let elapsed = max(.zero, now - movedAt)
        movedAt = max(movedAt, now)
        guard held > 0, !isStopped else {
            remainder = 0
            return []
        }
        let (seconds, rest) = elapsed.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let rate = Int64(make.bytesPerSecond)
        let (whole, part) = (rest * rate + remainder).quotientAndRemainder(dividingBy: 1_000_000_000)
        remainder = part
        var confirmations: [UInt8] = []
        for _ in 0..<min(Int64(held), seconds * rate + whole) where !isStopped { confirmations += printOne() }
        if head > 4096 { dropPrinted() }
        return confirmations
    }

    /// The moment by which all will be printed, as far as can be known.
    package func momentOfEmpty(after now: Moment) -> Moment {
        now + .forCount(held, perSecond: make.bytesPerSecond)
    }

    private mutating func printOne() -> [UInt8] {
        let (connection, byte) = buffer[head]
        head += 1
        if paper.last?.connection == connection {
            paper[paper.count - 1].bytes.append(byte)
        } else {
            paper.append((connection, [byte]))
        }
        if let left = paperLeft {
            paperLeft = left - 1
            if left <= 1 { hasPaper = false }
        }
        return make.confirmsJobs ? confirmation() : []
    }

    /// `1d 28 48 06 00 30 30 d1 d2 d3 d4` prints nothing and is answered.
    private mutating func confirmation() -> [UInt8] {
        let last = paper.count - 1
        let bytes = paper[last].bytes
        guard bytes.count >= 11, bytes[(bytes.count - 11)..<(bytes.count - 4)].elementsEqual(Self.confirmationCommand)
        else { return [] }
        paper[last].bytes.removeLast(11)
        return [0x37, 0x22] + bytes.suffix(4) + [0x00]
    }

    private static let confirmationCommand: [UInt8] = [0x1D, 0x28, 0x48, 0x06, 0x00, 0x30, 0x30]

    private mutating func dropPrinted() {
        buffer.removeFirst(head)
        head = 0
    }

    /// A new roll, or the old one torn out.
    package mutating func loadPaper(lasting bytes: Int? = nil) { (hasPaper, paperLeft) = (true, bytes) }

    /// Off and on: what was in the buffer is gone.
    package mutating func powerCycle() {
        (buffer, head, partial, remainder) = ([], 0, [], 0)
    }

    package mutating func clearPaper() { paper = [] }

    /// Takes what is on paper, by the connection that it came over. The beginning of a command that is asked to be answered
    /// stays.
    package mutating func takePaper() -> [(connection: Int, bytes: [UInt8])] {
        guard let last = paper.last else { return [] }
        let kept = make.confirmsJobs ? Self.countOfCommand(at: last.bytes) : 0
        let rest = (last.connection, Array(last.bytes.suffix(kept)))
        paper[paper.count - 1].bytes.removeLast(kept)
        defer { paper = kept > 0 ? [rest] : [] }
        return paper
    }

    /// How many of the last bytes may be the beginning of the command that asks for a confirmation.
    private static func countOfCommand(at bytes: [UInt8]) -> Int {
        for count in stride(from: min(10, bytes.count), to: 0, by: -1) {
            if bytes.suffix(count).prefix(7).elementsEqual(confirmationCommand.prefix(count)) { return count }
        }
        return 0
    }
}

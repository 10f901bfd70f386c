// Status bytes of ESC/POS printers, as bits. When to ask and which question an answer belongs to: PrinterQuestions.

import BoxFoundation

/// The four real-time questions, `DLE EOT n`. Their answers do not say which one they answer.
package enum PrinterQuestion: UInt8, CaseIterable, Sendable {
    case printer = 1
    case offlineCause = 2
    case errorCause = 3
    case paper = 4

    package var bytes: [UInt8] { [0x10, 0x04, rawValue] }
}

/// What a printer last said of itself.
package struct PrinterStatus: Equatable, Sendable {
    package var isOffline = false
    package var isCoverOpen = false
    package var isPaperLow = false
    package var isCutterJammed = false
    /// The head is too hot; it cools down and goes on by itself.
    package var isHot = false
    /// Any other error, until somebody looks after it.
    package var hasError = false
    /// Printing stopped for want of paper.
    private var isStoppedByPaper = false
    /// The sensor sees no paper.
    private var seesNoPaper = false

    package init() {}

    package var isPaperOut: Bool { isStoppedByPaper || seesNoPaper }

    /// It prints nothing now; what it is sent stays in its buffer.
    package var isStopped: Bool {
        isOffline || isCoverOpen || isPaperOut || isCutterJammed || isHot || hasError
    }

    /// Takes in the answer to a real-time question (`0xx1xx10`).
    package mutating func take(_ byte: UInt8, to question: PrinterQuestion) {
        func bit(_ n: UInt8) -> Bool { byte & (1 << n) != 0 }
        switch question {
        case .printer:
            isOffline = bit(3)
        case .offlineCause:
            isCoverOpen = bit(2)
            isStoppedByPaper = bit(5)
            hasError = bit(6)
            if !bit(6) { (isCutterJammed, isHot) = (false, false) }
        case .errorCause:
            isCutterJammed = bit(3)
            isHot = bit(6)
            hasError = bit(2) || bit(5)
        case .paper:
            isPaperLow = bit(2) || bit(3)
            seesNoPaper = bit(5) || bit(6)
        }
    }

    /// Takes in the four bytes of automatic status back (`GS a`).
    package mutating func take(automatic bytes: [UInt8]) {
        func bit(_ byte: Int, _ n: UInt8) -> Bool { bytes[byte] & (1 << n) != 0 }
        isOffline = bit(0, 3)
        isCoverOpen = bit(0, 5)
        isCutterJammed = bit(1, 3)
        isHot = bit(1, 6)
        hasError = bit(1, 2) || bit(1, 5)
        isPaperLow = bit(2, 0) || bit(2, 1)
        seesNoPaper = bit(2, 2) || bit(2, 3)
        isStoppedByPaper = false
    }

    /// The most urgent first.
    package var report: PrinterReport {
        if isCoverOpen { return PrinterReport(.coverOpen, "the printer's cover is open: close it") }
        if isPaperOut { return PrinterReport(.paperOut, "the printer is out of paper: put in a new roll") }
        if isCutterJammed {
            return PrinterReport(.error, "the printer's cutter is jammed: open the cover and clear it")
        }
        if isHot { return PrinterReport(.error, "the print head is too hot: it goes on when it has cooled down") }
        if hasError { return PrinterReport(.error, "the printer reports an error: switch it off and on") }
        if isOffline { return PrinterReport(.error, "the printer is offline: press its feed or online button") }
        if isPaperLow { return PrinterReport(.paperLow, "the paper is nearly used up: have a new roll at hand") }
        return PrinterReport(.ready, "the printer is ready")
    }
}

/// Cuts what a printer sends, in any split, into the messages it can be.
package struct PrinterAnswerReader: Sendable {
    /// What a printer said by itself or to a question.
    package enum Message: Equatable, Sendable {
        /// An answer to `DLE EOT`.
        case realTime(UInt8)
        /// Automatic status back, four bytes.
        case automatic([UInt8])
        /// The answer to `GS ( H` function 48: the number that was sent, four bytes.
        case processID([UInt8])
    }

    /// The start of an automatic status or a process id.
    private var partial: [UInt8] = []

    package init() {}

    package mutating func take(_ bytes: some Sequence<UInt8>) -> [Message] {
        bytes.flatMap { take($0) }
    }

    /// Forgets half a message: what comes next belongs to another question.
    package mutating func clear() { partial = [] }

    private mutating func take(_ byte: UInt8) -> [Message] {
        if partial.first == 0x37 { return takeProcessID(byte) }
        // A real-time answer may come between the bytes of an automatic status.
        if byte & 0x93 == 0x12 { return [.realTime(byte)] }
        if byte & 0x93 == 0x10 || byte == 0x37 {
            partial = [byte]
        } else if !partial.isEmpty, byte & 0x90 == 0 {
            partial.append(byte)
            if partial.count == 4 {
                defer { partial = [] }
                return [.automatic(partial)]
            }
        }
        return []
    }

    /// `37 22 d1 d2 d3 d4 00`
    private mutating func takeProcessID(_ byte: UInt8) -> [Message] {
        partial.append(byte)
        if partial.count == 2, byte != 0x22 {
            partial = []
            return take(byte)
        }
        guard partial.count == 7 else { return [] }
        defer { partial = [] }
        return byte == 0 ? [.processID(Array(partial[2..<6]))] : []
    }
}

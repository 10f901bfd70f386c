// Keys become lines. What the terminal has to show for it comes back as bytes; a line's end is CR, LF or CRLF.

/// What a key came to.
package enum LineOutput: Equatable, Sendable {
    /// For the terminal.
    case echo([UInt8])
    case line(String)
    /// A line longer than `LineEditor.mostBytes` was ended: it is thrown away whole, since half a command is another one.
    case lineTooLong
    /// Ctrl-C; what was typed is gone.
    case interrupt
    /// Tab, with what stands before the cursor: answered by `insert`.
    case complete(String)
}

/// A line of at most 1,024 bytes and the last 50 of them, edited as a terminal's user is used to.
package struct LineEditor {
    /// Bytes of one line, without its end.
    package static let mostBytes = 1024
    /// Lines that the arrows bring back.
    package static let mostHistory = 50

    /// Shown before a line; also what a redraw begins with.
    private let prompt: String
    private var keys = TerminalKeys()
    private var text: [Unicode.Scalar] = []
    private var cursor = 0
    private var bytes = 0
    private var isTooLong = false
    private var history: [[Unicode.Scalar]] = []
    /// The place in the history that is shown; its count is the line being typed.
    private var place = 0
    private var typed: [Unicode.Scalar] = []

    package init(prompt: String) { self.prompt = prompt }

    /// What the terminal shows to begin a line, with what has been typed so far.
    package var opening: [UInt8] {
        Array(prompt.utf8) + TerminalText.bytes(text) + Self.left(TerminalText.width(text[cursor...]))
    }

    package mutating func receive(_ byte: UInt8) -> [LineOutput] {
        guard let key = keys.receive(byte) else { return [] }
        switch key {
        case .character(let scalar): return insert([scalar])
        case .enter: return enter()
        case .backspace: return erase(from: cursor - 1, to: cursor)
        case .delete: return erase(from: cursor, to: cursor + 1)
        case .eraseToEnd: return erase(from: cursor, to: text.count)
        case .eraseLine: return erase(from: 0, to: cursor)
        case .eraseWord: return erase(from: wordStart, to: cursor)
        case .left: return move(to: cursor - 1)
        case .right: return move(to: cursor + 1)
        case .home: return move(to: 0)
        case .end: return move(to: text.count)
        case .up: return recall(place - 1)
        case .down: return recall(place + 1)
        case .tab: return [.complete(String(decoding: TerminalText.bytes(text[..<cursor]), as: UTF8.self))]
        case .redraw: return [.echo(Array("\u{1B}[H\u{1B}[2J".utf8) + opening)]
        case .interrupt:
            clear()
            return [.echo(Array("^C".utf8) + TerminalText.lineEnd), .interrupt]
        }
    }

    /// Puts text at the cursor, as if it had been typed.
    package mutating func insert(_ text: String) -> [LineOutput] { insert(Array(text.unicodeScalars)) }

    // MARK: Editing

    private mutating func insert(_ scalars: [Unicode.Scalar]) -> [LineOutput] {
        let added = scalars.reduce(0) { $0 + UTF8.width($1) }
        guard bytes + added <= Self.mostBytes else {
            // One bell a line: a peer that echoes what we send must not get an answer for ever.
            defer { isTooLong = true }
            return isTooLong ? [] : [.echo([0x07])]
        }
        bytes += added
        text.insert(contentsOf: scalars, at: cursor)
        cursor += scalars.count
        if cursor == text.count { return [.echo(TerminalText.bytes(scalars))] }
        return redrawn(from: cursor - scalars.count)
    }

    private mutating func erase(from start: Int, to end: Int) -> [LineOutput] {
        let start = max(0, start)
        let end = min(end, text.count)
        guard start < end else { return [] }
        let before = TerminalText.width(text[start..<cursor])
        bytes -= text[start..<end].reduce(0) { $0 + UTF8.width($1) }
        text.removeSubrange(start..<end)
        cursor = start
        return [.echo(Self.left(before) + TerminalText.bytes(text[start...]) + Self.clearToEnd + tail)]
    }

    private mutating func move(to place: Int) -> [LineOutput] {
        let place = max(0, min(place, text.count))
        defer { cursor = place }
        if place < cursor { return [.echo(Self.left(TerminalText.width(text[place..<cursor])))] }
        return place > cursor ? [.echo(TerminalText.bytes(text[cursor..<place]))] : []
    }

    private var wordStart: Int {
        let word = text[..<cursor].lastIndex { $0 != " " } ?? 0
        return text[..<word].lastIndex { $0 == " " }.map { $0 + 1 } ?? 0
    }

    private mutating func enter() -> [LineOutput] {
        let line = String(decoding: TerminalText.bytes(text), as: UTF8.self)
        let isTooLong = isTooLong
        if !isTooLong { remember(text) }
        clear()
        return [.echo(TerminalText.lineEnd), isTooLong ? .lineTooLong : .line(line)]
    }

    private mutating func clear() {
        text = []
        cursor = 0
        bytes = 0
        isTooLong = false
        typed = []
        place = history.count
    }

    // MARK: History

    private mutating func remember(_ line: [Unicode.Scalar]) {
        guard line.contains(where: { $0 != " " }), line != history.last else { return }
        history.append(line)
        if history.count > Self.mostHistory { history.removeFirst() }
    }

    private mutating func recall(_ wanted: Int) -> [LineOutput] {
        guard (0...history.count).contains(wanted), wanted != place else { return [] }
        if place == history.count { typed = text }
        let back = TerminalText.width(text[..<cursor])
        place = wanted
        text = wanted == history.count ? typed : history[wanted]
        cursor = text.count
        bytes = text.reduce(0) { $0 + UTF8.width($1) }
        return [.echo(Self.left(back) + TerminalText.bytes(text) + Self.clearToEnd)]
    }

    // MARK: Terminal

    private static let clearToEnd = Array("\u{1B}[K".utf8)

    /// Moves the cursor so many columns to the left. Backspaces, since every terminal knows them.
    private static func left(_ columns: Int) -> [UInt8] { [UInt8](repeating: 0x08, count: columns) }

    /// Moves back from the line's end to the cursor.
    private var tail: [UInt8] { Self.left(TerminalText.width(text[cursor...])) }

    private func redrawn(from start: Int) -> [LineOutput] { [.echo(TerminalText.bytes(text[start...]) + tail)] }
}

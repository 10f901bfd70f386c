import BoxFoundation
import ServiceConsole
import Testing

/// A terminal's screen line, enough to see what a person would see: printable text, backspace, clear to end, CR, LF, bell.
struct Screen {
    var lines: [[Character]] = [[]]
    var column = 0
    var bells = 0

    mutating func show(_ bytes: [UInt8]) {
        var text = Substring(String(decoding: bytes, as: UTF8.self))
        while let scalar = text.unicodeScalars.first {
            if text.hasPrefix("\u{1B}[K") {
                text = text.dropFirst(3)
                lines[lines.count - 1].removeSubrange(min(column, lines[lines.count - 1].count)...)
            } else if text.hasPrefix("\u{1B}[H\u{1B}[2J") {
                text = text.dropFirst(7)
                lines = [[]]
                column = 0
            } else {
                text.unicodeScalars.removeFirst()
                put(scalar)
            }
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\r": column = 0
        case "\n":
            lines.append([])
        case "\u{8}": column = max(0, column - 1)
        case "\u{7}": bells += 1
        default:
            // A wide character fills two columns: itself and an empty one.
            let cells: [Character] = scalar.value >= 0x4E00 ? [Character(scalar), "\0"] : [Character(scalar)]
            for cell in cells {
                if column < lines[lines.count - 1].count {
                    lines[lines.count - 1][column] = cell
                } else {
                    lines[lines.count - 1].append(cell)
                }
                column += 1
            }
        }
    }

    var line: String { String(lines[lines.count - 1].filter { $0 != "\0" }) }
}

struct Typist {
    var editor = LineEditor(prompt: "> ")
    var screen = Screen()
    var lines: [String] = []
    var others: [LineOutput] = []

    init() { screen.show(editor.opening) }

    mutating func type(_ text: String) { type(Array(text.utf8)) }

    mutating func type(_ bytes: [UInt8]) {
        for byte in bytes {
            for output in editor.receive(byte) {
                switch output {
                case .echo(let bytes): screen.show(bytes)
                case .line(let line):
                    lines.append(line)
                    screen.show(editor.opening)
                default: others.append(output)
                }
            }
        }
    }
}

@Suite("The line editor")
struct LineEditorTests {
    @Test(
        "Any line end is one",
        arguments: ["a\rb\r", "a\nb\n", "a\r\nb\r\n", "a\r\nb\r", "a\nb\r\n"])
    func lineEnds(text: String) {
        var typist = Typist()
        typist.type(text)
        #expect(typist.lines == ["a", "b"])
    }

    @Test("A CRLF cut in two is still one line end")
    func cutLineEnd() {
        var typist = Typist()
        typist.type("a\r")
        #expect(typist.lines == ["a"])
        typist.type("\n")
        #expect(typist.lines == ["a"])
        typist.type("\n")
        #expect(typist.lines == ["a", ""])
    }

    struct Edit: Sendable, CustomTestStringConvertible {
        var name: String
        var keys: String
        var line: String
        var column: Int
        var testDescription: String { name }
    }

    @Test(
        "What is edited is what is seen and what is sent",
        arguments: [
            Edit(name: "plain", keys: "status", line: "status", column: 6),
            Edit(name: "backspace 08", keys: "stxx\u{8}\u{8}atus", line: "status", column: 6),
            Edit(name: "backspace 7f", keys: "stxx\u{7F}\u{7F}atus", line: "status", column: 6),
            Edit(name: "backspace beyond the start", keys: "a\u{7F}\u{7F}\u{7F}b", line: "b", column: 1),
            Edit(name: "left and insert", keys: "sttus\u{1B}[D\u{1B}[D\u{1B}[Da", line: "status", column: 3),
            Edit(name: "arrows in application mode", keys: "sttus\u{1B}OD\u{1B}OD\u{1B}ODa", line: "status", column: 3),
            Edit(
                name: "backspace in the middle", keys: "staxtus\u{1B}[D\u{1B}[D\u{1B}[D\u{7F}", line: "status",
                column: 3),
            Edit(name: "delete", keys: "staxtus\u{1}\u{1B}[C\u{1B}[C\u{1B}[C\u{1B}[3~", line: "status", column: 3),
            Edit(name: "home and end", keys: "tatus\u{1B}[Hs\u{1B}[F!", line: "status!", column: 7),
            Edit(
                name: "home and end of other terminals", keys: "tatus\u{1B}[1~s\u{1B}[4~!", line: "status!", column: 7),
            Edit(name: "right beyond the end", keys: "ab\u{1B}[C\u{1B}[Cc", line: "abc", column: 3),
            Edit(name: "erase to end", keys: "statusxx\u{1B}[D\u{1B}[D\u{B}", line: "status", column: 6),
            Edit(name: "erase line", keys: "garbage\u{15}status", line: "status", column: 6),
            Edit(name: "erase word", keys: "pushes five \u{17}5", line: "pushes 5", column: 8),
            Edit(name: "wide characters", keys: "print 收款x\u{7F}\u{1B}[D微信\u{1B}[F", line: "print 收微信款", column: 14),
            Edit(name: "a wide character erased", keys: "收款元\u{7F}\u{7F}", line: "收", column: 2),
            Edit(name: "redraw keeps the line", keys: "abc\u{1B}[D\u{C}", line: "abc", column: 2),
        ])
    func edits(_ edit: Edit) {
        var typist = Typist()
        typist.type(edit.keys)
        #expect(typist.screen.line == "> " + edit.line)
        #expect(typist.screen.column == edit.column + 2)
        typist.type("\r")
        #expect(typist.lines == [edit.line])
    }

    @Test("The arrows bring lines back, and the line that was begun")
    func history() {
        var typist = Typist()
        typist.type("one\rtwo\rtwo\r\r  \rthr")
        for (key, line) in [
            ("A", "two"), ("A", "one"), ("A", "one"), ("B", "two"), ("B", "thr"), ("B", "thr"), ("A", "two"),
        ] {
            typist.type("\u{1B}[" + key)
            #expect(typist.screen.line == "> " + line)
        }
        typist.type("!\r")
        #expect(typist.lines.last == "two!")
        typist.type("\u{10}\u{10}")
        #expect(typist.screen.line == "> two")
    }

    @Test("The history is bounded")
    func historyLimit() {
        var typist = Typist()
        for n in 0..<200 { typist.type("line \(n)\r") }
        for _ in 0..<500 { typist.type("\u{1B}[A") }
        #expect(typist.screen.line == "> line \(200 - LineEditor.mostHistory)")
    }

    @Test("Ctrl-C throws the line away")
    func interrupt() {
        var typist = Typist()
        typist.type("reboot\u{3}")
        #expect(typist.others == [.interrupt])
        typist.type("\r")
        #expect(typist.lines == [""])
    }

    @Test("A line of the limit is taken, a longer one is thrown away whole with one bell")
    func tooLong() {
        var typist = Typist()
        let most = String(repeating: "x", count: LineEditor.mostBytes)
        typist.type(most + "\r")
        #expect(typist.lines == [most])
        typist.type(most + String(repeating: "y", count: 100_000) + "\r")
        #expect(typist.lines.count == 1)
        #expect(typist.others == [.lineTooLong])
        #expect(typist.screen.bells == 1)
        typist.type("status\r")
        #expect(typist.lines.last == "status")
    }

    @Test(
        "Escape sequences and noise leave the line alone",
        arguments: [
            "\u{1B}[200~", "\u{1B}[1;5C", "\u{1B}[?1;2c", "\u{1B}]0;title\u{7}", "\u{1B}]11;rgb:0/0/0\u{1B}\\",
            "\u{1B}P1$r0m\u{1B}\\",
            "\u{1B}=", "\u{1B}(B", "\u{0}\u{0}", "\u{11}\u{13}", "\u{1B}[" + String(repeating: "9", count: 200) + "m",
            "\u{85}", "\u{9B}",
        ])
    func noise(text: String) {
        var typist = Typist()
        let isCharset = text == "\u{1B}(B"
        typist.type("sta" + text + "tus\r")
        // The charset's letter of an old sequence is the one thing that cannot be told from typing.
        #expect(typist.lines == [isCharset ? "staBtus" : "status"])
    }

    @Test(
        "Bytes that are no UTF-8 are dropped, what follows is kept",
        arguments: [
            [0xFF], [0xC0, 0x80], [0xE6, 0x94], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80],
            [0xF0, 0x9F, 0x98],
        ] as [[UInt8]])
    func badUTF8(bytes: [UInt8]) {
        var typist = Typist()
        typist.type(Array("a".utf8) + bytes + Array("b\r".utf8))
        #expect(typist.lines == ["ab"])
    }

    @Test("Random bytes never stop it: after them a line is a line", arguments: 0..<12)
    func random(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var typist = Typist()
        typist.type(random.bytes(2000))
        typist.type([0x03, 0x03, 0x0D])
        typist.lines = []
        typist.type("status\r")
        #expect(typist.lines == ["status"])
    }
}

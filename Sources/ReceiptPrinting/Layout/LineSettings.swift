// The properties that stay in force from line to line.

struct LineSettings {
    var plan = ColumnPlan()
    var alignment = HorizontalAlignment.center
    var wraps = true
    var code = CodeOptions()

    /// Takes a member of a property; its name and value are those of the language. An unknown value is the default, an
    /// empty one changes nothing.
    ///
    /// - Returns: false for a name that sets nothing.
    mutating func take(_ member: MarkupLine.Member) -> Bool {
        if member.value.isEmpty { return false }
        switch String(decoding: member.key, as: UTF8.self) {
        case "width", "w": plan.widths = Self.widths(Self.words(member.value))
        case "border", "b": plan.border = Self.border(Self.word(member.value))
        case "align", "a": alignment = Self.alignment(Self.word(member.value))
        case "text", "t": wraps = Self.word(member.value) != "nowrap"
        case "option", "o": code = CodeOptions(words: Self.words(member.value))
        default: return false
        }
        return true
    }

    /// - Returns: nil for `auto`, alone or among others.
    private static func widths(_ words: [String]) -> [Int]? {
        if words.contains("auto") { return nil }
        return words.map { word in
            if word == "*" { return ColumnPlan.rest }
            guard word.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return 0 }
            return word.isEmpty ? 0 : min(Int(word) ?? mostWidth, mostWidth)
        }
    }

    private static let mostWidth = 1000

    private static func border(_ word: String) -> ColumnPlan.Border {
        switch word {
        case "line": .line
        case "none", "0": .space(0)
        case "2": .space(2)
        default: .space(1)
        }
    }

    private static func alignment(_ word: String) -> HorizontalAlignment {
        switch word {
        case "left": .left
        case "right": .right
        default: .center
        }
    }

    private static func word(_ value: [UInt8]) -> String { String(decoding: value, as: UTF8.self).lowercased() }

    /// A comma parts words, and so does a run of white space: `3, 4` is three words, the second empty.
    private static func words(_ value: [UInt8]) -> [String] {
        var words: [[UInt8]] = [[]]
        var spaced = false
        for byte in value {
            let isSpace = byte == Sign.space || byte == Sign.tab || byte == Sign.lineFeed
            if byte == UInt8(ascii: ",") || (isSpace && !spaced) {
                words.append([])
            } else if !isSpace {
                words[words.count - 1].append(byte)
            }
            spaced = isSpace
        }
        return words.map(word)
    }
}

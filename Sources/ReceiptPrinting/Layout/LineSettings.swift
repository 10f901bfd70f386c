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
        switch member.key {
        case .width: plan.widths = Self.widths(member.value)
        case .border: plan.border = Self.border(Self.word(member))
        case .align: alignment = Self.alignment(Self.word(member))
        case .text: wraps = !Self.word(member).is("nowrap")
        case .option: code = CodeOptions(member.value)
        case .image, .code, .command, .other: return false
        }
        return true
    }

    /// - Returns: nil for `auto`, alone or among others.
    private static func widths(_ value: [UInt8]) -> [Int]? {
        var widths: [Int] = []
        for word in PropertyWords(value) {
            if word.is("auto") { return nil }
            widths.append(word.is("*") ? ColumnPlan.rest : word.number(most: mostWidth) ?? 0)
        }
        return widths
    }

    private static let mostWidth = 1000

    private static func border(_ word: PropertyWords.Word) -> ColumnPlan.Border {
        if word.is("line") { return .line }
        if word.is("none") { return .space(0) }
        return .space(word.number(most: 3).map { $0 > 2 ? 1 : $0 } ?? 1)
    }

    private static func alignment(_ word: PropertyWords.Word) -> HorizontalAlignment {
        word.is("left") ? .left : word.is("right") ? .right : .center
    }

    private static func word(_ member: MarkupLine.Member) -> PropertyWords.Word {
        PropertyWords.Word(bytes: member.value[...])
    }
}

// Horizontal lines of framed tables. A rule waits for the line that follows it, since its joints are those of both.

struct Frame {
    /// The vertical lines of the last text line; empty before the first.
    private var above: [Int] = []
    private var isRuled = false

    /// A rule of the markup. Several in a row are one.
    mutating func rule() { isRuled = true }

    /// A text line with vertical lines at `borders` comes.
    ///
    /// - Returns: the rule to print before it.
    mutating func row(_ borders: [Int]) -> [Glyph]? {
        let due = isRuled || above.isEmpty
        let rule = due ? Self.rule(above, borders) : nil
        above = borders
        isRuled = false
        return rule
    }

    /// The frame ends.
    ///
    /// - Returns: the rule to print below it; nil if nothing was framed.
    mutating func close() -> [Glyph]? {
        let rule = above.isEmpty ? nil : Self.rule(above, [])
        above = []
        isRuled = false
        return rule
    }

    private static func rule(_ above: [Int], _ below: [Int]) -> [Glyph] {
        let joints = (above + below).sorted()
        guard let first = joints.first, let last = joints.last else { return [] }
        var rule = Array(repeating: Glyph.space, count: first)
        rule += Array(repeating: Glyph(UInt32(Sign.minus)), count: last - first + 1)
        for joint in joints { rule[joint] = Glyph(UInt32(UInt8(ascii: "+"))) }
        return rule
    }
}

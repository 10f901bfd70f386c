// The properties of the markup, `{name: value; name: value}`, alone in their lines.

extension MarkupReader {
    func readProperty(_ column: Range<Int>, _ line: inout MarkupLine) throws(ReceiptFault) {
        line.members.removeAll(keepingCapacity: true)
        var start = column.lowerBound + 1
        while true {
            let end = try memberEnd(from: start, in: column)
            try readMember(trimmed(start..<end), &line)
            if bytes[end] == Sign.closeBrace {
                guard end + 1 == column.upperBound else { throw fault(.propertyBeside, at: end + 1) }
                return
            }
            start = end + 1
        }
    }

    private func memberEnd(from start: Int, in column: Range<Int>) throws(ReceiptFault) -> Int {
        var i = start
        while i < column.upperBound {
            switch bytes[i] {
            case Sign.semicolon, Sign.closeBrace: return i
            case Sign.openBrace: throw fault(.brace("{"), at: i)
            case Sign.backslash: i += 2
            default: i += 1
            }
        }
        throw fault(.brace("{"), at: column.lowerBound)
    }

    private func readMember(_ range: Range<Int>, _ line: inout MarkupLine) throws(ReceiptFault) {
        if range.isEmpty { return }
        guard let colon = range.first(where: { bytes[$0] == Sign.colon }) else {
            throw fault(.propertyWithoutValue, at: range.lowerBound)
        }
        let key = trimmed(range.lowerBound..<colon)
        let value = trimmed(colon + 1..<range.upperBound)
        line.members.append(
            MarkupLine.Member(
                key: MarkupLine.Key(bytes[key]), value: unescaped(value), column: characters(to: range.lowerBound) + 1))
    }

    private func unescaped(_ range: Range<Int>) -> [UInt8] {
        guard range.contains(where: { bytes[$0] == Sign.backslash }) else { return Array(bytes[range]) }
        var plain: [UInt8] = []
        var i = range.lowerBound
        while i < range.upperBound {
            guard bytes[i] == Sign.backslash, i + 1 < range.upperBound else {
                if bytes[i] != Sign.backslash { plain.append(bytes[i]) }
                i += 1
                continue
            }
            i = unescape(i, range.upperBound, &plain)
        }
        return plain
    }

    private func unescape(_ i: Int, _ end: Int, _ plain: inout [UInt8]) -> Int {
        switch bytes[i + 1] {
        case Sign.backslash, Sign.pipe, Sign.openBrace, Sign.closeBrace, Sign.semicolon:
            plain.append(bytes[i + 1])
            return i + 2
        case UInt8(ascii: "n"):
            plain.append(Sign.lineFeed)
            return i + 2
        case UInt8(ascii: "x"):
            guard let (value, next) = hexadecimal(i + 2, end) else { return skip(2, from: i + 2, end) }
            plain += Array(String(Character(Unicode.Scalar(UInt8(value)))).utf8)
            return next
        default: return skip(1, from: i + 1, end)
        }
    }
}

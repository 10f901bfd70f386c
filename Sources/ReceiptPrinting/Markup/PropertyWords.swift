// The words of a property's value: `* 4 8`, `qrcode,4,m`.

/// A comma parts words, and so does a run of white space: `3, 4` is three words, the second empty.
struct PropertyWords: Sequence, IteratorProtocol {
    /// One word, compared without regard to capitals.
    struct Word {
        let bytes: ArraySlice<UInt8>

        func `is`(_ name: StaticString) -> Bool {
            guard bytes.count == name.utf8CodeUnitCount else { return false }
            for (i, byte) in bytes.enumerated() where Self.lower(byte) != name.utf8Start[i] { return false }
            return true
        }

        /// Digits only; what is larger than `most` is `most`.
        func number(most: Int) -> Int? {
            guard !bytes.isEmpty else { return nil }
            var number = 0
            for byte in bytes {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                number = Swift.min(number * 10 + Int(byte - UInt8(ascii: "0")), most)
            }
            return number
        }

        private static func lower(_ byte: UInt8) -> UInt8 {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        }
    }

    private let value: [UInt8]
    private var at = 0

    init(_ value: [UInt8]) { self.value = value }

    mutating func next() -> Word? {
        guard at <= value.count else { return nil }
        let start = at
        while at < value.count, value[at] != UInt8(ascii: ","), !Self.isSpace(value[at]) { at += 1 }
        let word = Word(bytes: value[start..<at])
        if at < value.count, Self.isSpace(value[at]) {
            while at < value.count, Self.isSpace(value[at]) { at += 1 }
        } else {
            at += 1
        }
        return word
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == Sign.space || byte == Sign.tab || byte == Sign.lineFeed
    }
}

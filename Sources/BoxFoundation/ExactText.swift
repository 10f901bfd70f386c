// Names, ids and other texts of the wire are compared byte for byte (`docs/push-protocol.md`, Frame).

/// A text that equals another only byte for byte. Swift's own comparison takes a composed and a decomposed é as one;
/// two ids that differ in that are two payments.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (a: ExactText, b: ExactText) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}

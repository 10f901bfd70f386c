// What a printer has put on paper: characters, pictures and cuts at their places in dots. It can be read as text or
// looked at as a picture.

/// A character on paper.
package struct PrintedGlyph: Equatable, Sendable {
    package var scalar: UInt32
    /// Dots from the left edge of what the printer can reach.
    package var x: Int
    /// Dots it takes, its size included.
    package var width: Int
    /// Dots of its height.
    package var height: Int
    package var style: TextStyle
    /// Dots of one column of its font at normal size: 12, or 9 for the small one.
    package var column: Int
    /// Turned by 90 degrees or upside down is not told apart: what is read stays the same.
    package var isWide: Bool
}

/// One thing on paper; places are in dots.
package enum PaperItem: Equatable, Sendable {
    /// One printed line; `y` is its top.
    case line(glyphs: [PrintedGlyph], y: Int, height: Int)
    case picture(Bitmap, x: Int, y: Int)
    /// A code that the printer drew from its data; the picture is its modules.
    case code(name: String, data: String, Bitmap, x: Int, y: Int)
    /// Paper moved by whole lines.
    case feed(lines: Int)
    case cut(y: Int, isFull: Bool)
    /// Something that leaves no dots: the drawer, a sound, a question, an unknown command.
    case note(String)
}

/// What a printer has put on paper, its width and length in dots.
package struct PaperRoll: Equatable, Sendable {
    /// Dots that the printer can reach.
    package var width: Int
    /// Dots of paper that have passed.
    package var length = 0
    package var items: [PaperItem] = []
    /// The data that printers write above and under bars.
    package var captions: [Caption] = []

    /// Words at a place that cannot be drawn, such as a code that is only named.
    package struct Caption: Equatable, Sendable {
        package var text: String
        package var x: Int
        package var y: Int

        package init(text: String, x: Int, y: Int) {
            self.text = text
            self.x = x
            self.y = y
        }
    }
}

// What a light says, for one that has colours.

/// What the light says, so that a light of three colours can choose one.
package enum LightMeaning: String, CaseIterable, Sendable { case ready, busy, noHub, printer, fault }

/// Shares of red, green and blue, 0 to 100 each.
package struct LightColour: Equatable, Sendable {
    package var red: Int
    package var green: Int
    package var blue: Int

    package init(red: Int, green: Int, blue: Int) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }
}

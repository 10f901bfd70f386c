// Three lights behind one lens. What each of them shares in a colour is the board's choice; which colour is shown is what
// the light has to say.

import HardwareInterface

/// A light of three colours.
package final class ColourLight: LightDevice {
    private let red: any LightDevice
    private let green: any LightDevice
    private let blue: any LightDevice
    private let colours: [LightMeaning: LightColour]
    private var meaning = LightMeaning.ready
    private var brightness = 0

    /// - Parameter colours: a meaning that is missing is white.
    package init(
        red: any LightDevice, green: any LightDevice, blue: any LightDevice, colours: [LightMeaning: LightColour]
    ) {
        self.red = red
        self.green = green
        self.blue = blue
        self.colours = colours
    }

    package func set(brightness: Int) {
        self.brightness = brightness
        let colour = colours[meaning] ?? LightColour(red: 100, green: 100, blue: 100)
        red.set(brightness: Self.part(colour.red, of: brightness))
        green.set(brightness: Self.part(colour.green, of: brightness))
        blue.set(brightness: Self.part(colour.blue, of: brightness))
    }

    package func show(_ meaning: LightMeaning) {
        guard meaning != self.meaning else { return }
        self.meaning = meaning
        set(brightness: brightness)
    }

    /// A share of a dim light is not lost.
    private static func part(_ share: Int, of brightness: Int) -> Int {
        (share * min(100, max(0, brightness)) + 99) / 100
    }
}

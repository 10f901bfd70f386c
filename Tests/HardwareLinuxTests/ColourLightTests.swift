import HardwareInterface
import HardwareLinux
import Testing

@Suite("A light of colours")
struct ColourLightTests {
    private final class Part: LightDevice {
        var brightness = 0
        func set(brightness: Int) { self.brightness = brightness }
    }

    @Test("What it says has its colour, at the light's brightness; a change of meaning is seen at once")
    func colours() {
        let parts = [Part(), Part(), Part()]
        let light = ColourLight(
            red: parts[0], green: parts[1], blue: parts[2],
            colours: [
                .ready: LightColour(red: 0, green: 100, blue: 0), .noHub: LightColour(red: 100, green: 50, blue: 1),
            ])
        light.set(brightness: 100)
        #expect(parts.map(\.brightness) == [0, 100, 0])
        light.show(.noHub)
        #expect(parts.map(\.brightness) == [100, 50, 1])
        light.set(brightness: 40)
        #expect(parts.map(\.brightness) == [40, 20, 1])
        light.set(brightness: 0)
        #expect(parts.map(\.brightness) == [0, 0, 0])
        light.show(.fault)
        light.set(brightness: 100)
        #expect(parts.map(\.brightness) == [100, 100, 100], "a meaning without a colour is white")
    }
}

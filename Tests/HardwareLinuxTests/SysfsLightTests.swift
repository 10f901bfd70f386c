import Glibc
import HardwareInterface
import HardwareLinux
import TestSupport
import Testing

// Plain files in the place of sysfs: what is written to them stands in them.
@Suite("A light that dims")
struct SysfsLightTests {
    private let folder = TemporaryFolder()

    @Test(
        "An LED takes its own steps, and is never dark unless it is off",
        arguments: [
            (255, 100, "255\n"), (255, 50, "127\n"), (255, 1, "2\n"), (1, 100, "1\n"), (1, 1, "1\n"), (255, 0, "0\n"),
        ])
    func led(most: Int, brightness: Int, written: String) throws {
        makeLED("status", most: most)
        let light = try LEDLight("status", in: folder.path)
        #expect(folder.read("status/trigger") == Array("none".utf8))
        light.set(brightness: brightness)
        #expect(attribute("status/brightness") == written)
    }

    @Test("An LED goes dark with its owner")
    func dark() throws {
        makeLED("status", most: 1)
        do {
            let light = try LEDLight("status", in: folder.path)
            light.set(brightness: 100)
        }
        #expect(attribute("status/brightness") == "0\n")
    }

    @Test("An LED that is not there is named beside those that are")
    func missing() {
        makeLED("ACT", most: 1)
        #expect(throws: SysfsLightError.notFound("status", there: ["ACT"])) {
            try LEDLight("status", in: folder.path)
        }
        #expect(throws: SysfsLightError.notFound("x.pwm", there: [])) {
            try PWMLight(chip: "x.pwm", channel: 0, in: folder.path)
        }
    }

    @Test(
        "A PWM channel is found by its device's name and dims for the eye",
        arguments: [(100, 1_000_000), (50, 250_000)])
    func pwm(brightness: Int, duty: Int) throws {
        mkdir("\(folder.path)/pwmchip3", 0o700)
        mkdir("\(folder.path)/pwmchip3/pwm1", 0o700)
        symlink("/sys/devices/platform/soc/fe20c000.pwm", "\(folder.path)/pwmchip3/device")
        for name in ["period", "duty_cycle", "enable"] { folder.write([], to: "pwmchip3/pwm1/\(name)") }
        let light = try PWMLight(chip: "fe20c000.pwm", channel: 1, in: folder.path)
        #expect(folder.read("pwmchip3/pwm1/period") == Array("1000000".utf8))
        #expect(folder.read("pwmchip3/pwm1/enable") == Array("1".utf8))
        light.set(brightness: brightness)
        #expect(attribute("pwmchip3/pwm1/duty_cycle") == "\(duty)\n")
    }

    private func makeLED(_ name: String, most: Int) {
        mkdir("\(folder.path)/\(name)", 0o700)
        for file in ["trigger", "brightness"] { folder.write([], to: "\(name)/\(file)") }
        folder.write(Array("\(most)\n".utf8), to: "\(name)/max_brightness")
    }

    /// The first line: a plain file keeps what a longer value before left behind it.
    private func attribute(_ name: String) -> String? {
        folder.read(name).map { bytes in
            String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map { "\($0)\n" } ?? ""
        }
    }
}

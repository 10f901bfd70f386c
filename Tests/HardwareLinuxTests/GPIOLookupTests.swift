import HardwareLinux
import TestSupport
import Testing

/// Chip tables as the boards' kernels show them, in short.
enum GPIOTable {
    static let header = ["pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835"]

    /// Lines called GPIO0, GPIO1, … from the first number on.
    private static func lines(_ count: Int, from first: Int = 0) -> [GPIOChip.Line] {
        (0..<count).map { GPIOChip.Line(name: $0 < first ? "" : "GPIO\($0)") }
    }

    private static func chip(_ number: Int, _ label: String, _ lines: [GPIOChip.Line]) -> GPIOChip {
        GPIOChip(path: "/dev/gpiochip\(number)", name: "gpiochip\(number)", label: label, lines: lines)
    }

    static let pi3 = [
        chip(0, "pinctrl-bcm2835", lines(54)),
        chip(1, "brcmvirt-gpio", [.init(name: ""), .init(name: "")]),
        chip(2, "raspberrypi-exp-gpio", [.init(name: "BT_ON"), .init(name: "WL_ON", consumer: "reset")]),
    ]
    static let pi4 = [
        chip(0, "pinctrl-bcm2711", lines(58)),
        chip(1, "raspberrypi-exp-gpio", [.init(name: "BT_ON"), .init(name: "PWR_LED_OFF", consumer: "PWR")]),
    ]
    private static let pi5SoC = [
        chip(10, "gpio-brcmstb@107d508500", [.init(name: "-"), .init(name: "2712_BOOT_CS_N"), .init(name: "-")]),
        chip(11, "gpio-brcmstb@107d517c00", [.init(name: "RP1_SDA"), .init(name: "WL_ON"), .init(name: "GPIO17_OLD")]),
    ]
    /// Kernels up to 6.6.
    static let pi5Early = pi5SoC + [chip(4, "pinctrl-rp1", lines(54))]
    /// Kernels from 6.6.45 on.
    static let pi5 = [chip(0, "pinctrl-rp1", lines(54))] + pi5SoC
    static let zero2W = [
        chip(0, "pinctrl-bcm2835", lines(54)), chip(1, "raspberrypi-exp-gpio", [.init(name: "HDMI_HPD_N")]),
    ]
    /// A kernel that names no lines.
    static let nameless = [chip(0, "pinctrl-bcm2835", lines(54, from: 54))]
}

@Suite("Finding a GPIO line")
struct GPIOLookupTests {
    private let line17 = GPIOLineName(chips: GPIOTable.header, line: "GPIO17", offset: 17)

    @Test(
        "The header's GPIO17 is found on every board, however the chips are numbered",
        arguments: [
            ("Pi 3", GPIOTable.pi3, 0), ("Pi 4", GPIOTable.pi4, 0), ("Pi 5, early", GPIOTable.pi5Early, 4),
            ("Pi 5", GPIOTable.pi5, 0), ("Zero 2 W", GPIOTable.zero2W, 0), ("nameless", GPIOTable.nameless, 0),
        ])
    func boards(board: String, chips: [GPIOChip], number: Int) throws {
        #expect(try GPIOLookup.find(line17, in: chips) == GPIOPlace(path: "/dev/gpiochip\(number)", offset: 17))
    }

    @Test("A name alone is enough where one chip has it")
    func nameAlone() throws {
        let place = try GPIOLookup.find(GPIOLineName(line: "PWR_LED_OFF"), in: GPIOTable.pi4)
        #expect(place == GPIOPlace(path: "/dev/gpiochip1", offset: 1))
    }

    @Test("A name on a chip that the board does not know is taken, a bare offset there is not")
    func otherChip() throws {
        let byName = GPIOLineName(chips: ["pinctrl-next"], line: "GPIO17", offset: 17)
        #expect(try GPIOLookup.find(byName, in: GPIOTable.pi5).path == "/dev/gpiochip0")
        let labels = GPIOTable.nameless.map(\.label)
        #expect(throws: GPIOError.notFound(byName, labels: labels)) {
            try GPIOLookup.find(byName, in: GPIOTable.nameless)
        }
    }

    @Test("Two chips with the name are told apart by the board's label only")
    func ambiguous() throws {
        var second = GPIOTable.pi4[0]
        second.path = "/dev/gpiochip7"
        second.label = "mcp23017"
        let chips = GPIOTable.pi4 + [second]
        #expect(try GPIOLookup.find(line17, in: chips).path == "/dev/gpiochip0")
        let bare = GPIOLineName(line: "GPIO17")
        #expect(throws: GPIOError.ambiguous(bare, labels: ["pinctrl-bcm2711", "mcp23017"])) {
            try GPIOLookup.find(bare, in: chips)
        }
    }

    @Test("No such line, an offset past the chip's end, and no chip at all are told apart")
    func missing() {
        let far = GPIOLineName(chips: ["pinctrl-bcm2835"], line: "GPIO99", offset: 99)
        #expect(throws: GPIOError.notFound(far, labels: ["pinctrl-bcm2835"])) {
            try GPIOLookup.find(far, in: GPIOTable.nameless)
        }
        #expect(throws: GPIOError.noChips) { try GPIOLookup.find(line17, in: []) }
        // A line without a name is not "the line called nothing".
        #expect(throws: GPIOError.self) { try GPIOLookup.find(GPIOLineName(line: ""), in: GPIOTable.nameless) }
    }

    @Test("Errors say what to do")
    func messages() {
        #expect(GPIOError.taken(line17, owner: "spi0 CS0").message.contains("held by \"spi0 CS0\""))
        #expect(GPIOError.notPermitted("/dev/gpiochip0").message.contains("group gpio"))
        #expect(GPIOError.notFound(line17, labels: ["a", "b"]).message.contains("there is a, b"))
    }

    @Test("A folder without chips has none, and a light on it is refused as such")
    func noChips() throws {
        let folder = TemporaryFolder()
        folder.write([], to: "gpiochip0")
        let chips = try GPIOChips.all(in: folder.path)
        #expect(chips == [])
        #expect(throws: GPIOError.noChips) { try GPIOLight(line17, in: chips) }
    }
}

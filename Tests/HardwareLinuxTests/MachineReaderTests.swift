// What the kernel's files tell, with files of the tests' own in their place: each cause that the doctor names is in one.

import BoxFoundation
import Glibc
import HardwareInterface
import HardwareLinux
import TestSupport
import Testing

/// A folder that stands for `/`.
private final class Root {
    private let folder = TemporaryFolder()
    var path: String { folder.path }

    func write(_ text: String, to path: String) throws {
        try Files.makeFolder(folder.path + String(path[..<path.lastIndex(of: "/")!]))
        try Files.write(folder.path + path, Array(text.utf8))
    }

    func link(_ name: String, carrier: String?, wireless: Bool = false) throws {
        try write("", to: "/sys/class/net/\(name)/device/uevent")
        if wireless { try write("", to: "/sys/class/net/\(name)/wireless/x") }
        if let carrier { try write(carrier, to: "/sys/class/net/\(name)/carrier") }
    }

    func read(_ addresses: [(link: String, address: String)] = []) -> MachineReading {
        MachineReader(root: path, addresses: { addresses }).read(state: path)
    }
}

@Suite("Reading the machine")
struct MachineReaderTests {
    private let root = Root()

    @Test("A machine that tells nothing: nothing is said but the disk")
    func nothing() {
        let reading = root.read()
        #expect(reading.diskFree ?? 0 > 0)
        #expect(reading.memoryFree == nil && reading.temperature == nil)
        #expect(reading.hasUnderVoltage == nil && reading.hadUnderVoltage == nil)
        #expect(reading.network == NetworkReading())
        #expect(MachineReader(root: root.path).read(state: "\(root.path)/none").diskFree == nil)
    }

    @Test("Memory that programs can still get")
    func memory() throws {
        try root.write("MemTotal:  512000 kB\nMemFree: 5 kB\nMemAvailable:   20480 kB\n", to: "/proc/meminfo")
        #expect(root.read().memoryFree == 20 << 20)
    }

    @Test("The hottest place of the processor counts, a battery does not")
    func temperature() throws {
        for (zone, type, value) in [(0, "cpu-thermal", "61000"), (1, "soc_thermal", "83500"), (2, "BAT0", "99000")] {
            try root.write("\(type)\n", to: "/sys/class/thermal/thermal_zone\(zone)/type")
            try root.write("\(value)\n", to: "/sys/class/thermal/thermal_zone\(zone)/temp")
        }
        #expect(root.read().temperature == 83_500)
    }

    @Test(
        "The firmware tells of under-voltage now and since the start",
        arguments: [("0", false, false), ("50005", true, true), ("50000", false, true), ("0x10000", false, true)])
    func firmware(bits: String, now: Bool, before: Bool) throws {
        try root.write("\(bits)\n", to: "/sys/devices/platform/soc/soc:firmware/get_throttled")
        let reading = root.read()
        #expect(reading.hasUnderVoltage == now && reading.hadUnderVoltage == before)
    }

    @Test("Without it the supply's sensor does", arguments: [("1", true), ("0", false)])
    func sensor(alarm: String, isLow: Bool) throws {
        try root.write("cpu_thermal\n", to: "/sys/class/hwmon/hwmon0/name")
        try root.write("rpi_volt\n", to: "/sys/class/hwmon/hwmon1/name")
        try root.write("\(alarm)\n", to: "/sys/class/hwmon/hwmon1/in0_lcrit_alarm")
        let reading = root.read()
        #expect(reading.hasUnderVoltage == isLow && reading.hadUnderVoltage == nil)
    }

    @Test("Links by kind, carrier, address and signal; an unused bridge says nothing")
    func links() throws {
        try root.write("1", to: "/sys/class/net/lo/carrier")
        try root.write("0", to: "/sys/class/net/docker0/carrier")
        try root.link("eth0", carrier: nil)
        try root.link("wlan0", carrier: "1", wireless: true)
        try root.write(
            "Inter-| sta-|\n face | tus |\n wlan0: 0000   40.  -78.  -256   0  0  0  0  0  0\n",
            to: "/proc/net/wireless")
        let network = root.read([("wlan0", "10.0.0.7"), ("lo", "127.0.0.1")]).network
        #expect(
            network.links == [
                NetworkLink(name: "eth0", hasCarrier: false),
                NetworkLink(name: "wlan0", isWireless: true, hasCarrier: true, addresses: ["10.0.0.7"], signal: -78),
            ])
        #expect(network.addresses == ["10.0.0.7"])
    }

    @Test("Default routes of both families")
    func routes() throws {
        let head = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\n"
        try root.write(
            head + "eth0\t00000000\t0100A8C0\t0003\t0\t0\t100\t00000000\neth0\t0000A8C0\t00000000\t0001\t0\t0\t0\t0\n",
            to: "/proc/net/route")
        let zeros = String(repeating: "0", count: 32)
        try root.write(
            "\(zeros) 00 \(zeros) 00 fe800000000000000000000000000001 00000400 1 0 00000003 eth0\n"
                + "\(zeros) 00 \(zeros) 00 \(zeros) ffffffff 1 0 00200200 lo\n", to: "/proc/net/ipv6_route")
        #expect(root.read().network.gateways == ["192.168.0.1", "fe80::1"])
    }

    @Test("Name servers, those that the machine's own resolver asks")
    func nameServers() throws {
        try root.write("# made\nnameserver 10.0.0.2\nsearch shop\nnameserver fd00::2\n", to: "/etc/resolv.conf")
        #expect(root.read().network.nameServers == ["10.0.0.2", "fd00::2"])
        try root.write("nameserver 127.0.0.53\n", to: "/etc/resolv.conf")
        #expect(root.read().network.nameServers.isEmpty)
        try root.write("nameserver 9.9.9.9\n", to: "/run/systemd/resolve/resolv.conf")
        #expect(root.read().network.nameServers == ["9.9.9.9"])
    }

    @Test("Files that hold nonsense are as good as none")
    func nonsense() throws {
        try root.write("MemAvailable: lots\n", to: "/proc/meminfo")
        try root.write("cpu\n", to: "/sys/class/thermal/thermal_zone0/type")
        try root.write("hot\n", to: "/sys/class/thermal/thermal_zone0/temp")
        try root.write("\n\t\n x\n", to: "/proc/net/route")
        try root.write("zz 00\n", to: "/proc/net/ipv6_route")
        try root.write("a\nb\nwlan0:\n", to: "/proc/net/wireless")
        try root.write("zz", to: "/sys/devices/platform/soc/firmware/get_throttled")
        let reading = root.read()
        #expect(reading.memoryFree == nil && reading.temperature == nil && reading.hasUnderVoltage == nil)
        #expect(reading.network.gateways.isEmpty)
    }

    @Test("This machine itself can be read, loopback and link-local addresses left out")
    func own() {
        let reading = MachineReader().read(state: "/")
        #expect(reading.memoryFree ?? 0 > 0)
        #expect(!reading.network.links.contains { $0.name == "lo" })
        #expect(!MachineReader.systemAddresses().contains { $0.address.hasPrefix("fe80") })
    }
}

@Suite("Restarting the machine")
struct MachinePowerTests {
    /// Programs that answer as a test wants, and what was started.
    private final class Programs {
        var answers: [String: (status: Int32, output: String)] = [:]
        var started: [String] = []

        func run(_ words: [String]) -> (status: Int32, output: String)? {
            started.append(words.joined(separator: " "))
            return answers[words[0]]
        }
    }

    private static let mayBoot: UInt64 = 1 << 22

    private static func power(
        _ programs: Programs = Programs(), capabilities: UInt64 = 0, hasSystemd: Bool = true,
        environment: [String: String] = [:], kernel: SystemError? = nil
    ) -> MachinePower {
        MachinePower(
            run: programs.run, capabilities: capabilities, hasSystemd: hasSystemd, environment: { environment[$0] },
            askKernel: { kernel })
    }

    @Test("A unit that promises it restarts the machine after the box's end; the box needs no right and starts nothing")
    func unit() {
        let programs = Programs()
        for name in ["INVOCATION_ID", "NOTIFY_SOCKET"] {
            let power = Self.power(programs, environment: [name: "x", "COUNTERBOX_RESTART": "exit-76"])
            #expect(power.refusal() == nil)
            #expect(power.restart() == .byExit)
        }
        #expect(programs.started.isEmpty)
    }

    @Test("Without unit and right it is refused, and what is missing is named")
    func nobody() {
        #expect(
            Self.power(environment: ["INVOCATION_ID": "x"]).refusal()?.contains("COUNTERBOX_RESTART=exit-76") == true)
        let others = [[:], ["COUNTERBOX_RESTART": "exit-76"]]
        for environment in others {
            for hasSystemd in [true, false] {
                let power = Self.power(hasSystemd: hasSystemd, environment: environment)
                let refusal = power.refusal()
                #expect(refusal?.contains("counterbox.service") == true)
                #expect(power.restart() == .failed(refusal ?? ""))
            }
        }
    }

    @Test(
        "With the right systemd restarts it; what it says is told",
        arguments: [(0, .underWay), (1, .failed("systemctl reboot ended with 1"))] as [(Int32, MachinePower.Restart)])
    func restart(status: Int32, end: MachinePower.Restart) {
        let programs = Programs()
        programs.answers["systemctl"] = (status, "")
        let power = Self.power(programs, capabilities: Self.mayBoot)
        #expect(power.refusal() == nil)
        #expect(programs.started.isEmpty)
        #expect(power.restart() == end)
        #expect(programs.started == ["systemctl --no-ask-password reboot"])
        programs.answers = [:]
        #expect(power.restart() == .failed("systemctl reboot did not answer"))
    }

    @Test("With the right and without systemd the kernel restarts it")
    func kernel() {
        let programs = Programs()
        #expect(Self.power(programs, capabilities: Self.mayBoot, hasSystemd: false).restart() == .underWay)
        let fault = SystemError("reboot", errno: 1)
        let power = Self.power(programs, capabilities: Self.mayBoot, hasSystemd: false, kernel: fault)
        #expect(power.restart() == .failed(fault.message))
        #expect(programs.started.isEmpty)
    }

    @Test("This process's own rights can be read")
    func own() { #expect(MachinePower.ownCapabilities >> 63 == 0) }
}

@Suite("The mark of a running box")
struct RunMarkTests {
    @Test("It is seen while the box runs, and no longer")
    func mark() {
        let folder = TemporaryFolder()
        #expect(RunMark.look(folder.path) == .notRunning)
        let mark = RunMark(folder.path)
        #expect(RunMark.look(folder.path) == .running)
        mark.remove()
        #expect(RunMark.look(folder.path) == .notRunning)
        #expect(RunMark.look("\(folder.path)/none") == .notRunning)
        RunMark("\(folder.path)/none").remove()
    }

    @Test("Where it cannot be looked at nothing is claimed", .enabled(if: geteuid() != 0, "root may look everywhere"))
    func hidden() {
        let folder = TemporaryFolder()
        let mark = RunMark(folder.path)
        chmod(folder.path, 0)
        #expect(RunMark.look(folder.path) == .unknown)
        chmod(folder.path, 0o700)
        mark.remove()
    }

    @Test("A mark that is no file is not taken for a box that does not run")
    func odd() {
        let folder = TemporaryFolder()
        // A link to itself: ELOOP, whoever looks.
        symlink("running", "\(folder.path)/running")
        #expect(RunMark.look(folder.path) == .unknown)
    }
}

@Suite("What root does for the box")
struct BoxUserTests {
    @Test("Only root takes on another's rights, and only where the folder is another's")
    func toBecome() {
        let folder = TemporaryFolder()
        #expect(BoxUser.toBecome(ownerOf: folder.path, as: 1000) == nil)
        #expect(BoxUser.toBecome(ownerOf: "\(folder.path)/none", as: 0) == nil)
        #expect(BoxUser.toBecome(ownerOf: folder.path, as: 0) == (geteuid() == 0 ? nil : geteuid()))
    }

    @Test("Root's files become their folder's owner's", .enabled(if: geteuid() == 0, "only root gives files away"))
    func ownership() throws {
        let folder = TemporaryFolder()
        #expect(chown(folder.path, 65_534, 65_533) == 0)
        #expect(StateFolder(folder.path).save([1], as: "settings.json5"))
        try Files.create("\(folder.path)/box.key", [2])
        for name in ["settings.json5", "box.key"] {
            var status = stat()
            #expect(stat("\(folder.path)/\(name)", &status) == 0)
            #expect(status.st_uid == 65_534 && status.st_gid == 65_533 && status.st_mode & 0o777 == 0o600)
        }
        #expect(BoxUser.toBecome(ownerOf: folder.path) == 65_534)
    }
}

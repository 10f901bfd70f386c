// Lights that dim, by files of sysfs: an LED of the kernel's class, or a channel of a PWM chip.

import BoxFoundation
import Glibc
import HardwareInterface

/// Why a light of sysfs cannot be used.
package enum SysfsLightError: Error, Equatable, Sendable {
    /// The names are of those that are there.
    case notFound(String, there: [String])
    case failed(SystemError)

    package var message: String {
        switch self {
        case .notFound(let name, let there):
            "no light \(name); there is \(there.isEmpty ? "none" : there.joined(separator: ", "))"
        case .failed(let error): error.message
        }
    }
}

/// An LED of `/sys/class/leds`.
package final class LEDLight: LightDevice {
    private let file: Descriptor
    private let most: Int
    private var level = -1

    package init(_ name: String, in folder: String = "/sys/class/leds") throws(SysfsLightError) {
        let path = "\(folder)/\(name)"
        guard Sysfs.names(in: folder).contains(name) else {
            throw .notFound(name, there: Sysfs.names(in: folder))
        }
        // The kernel's own blinking would go on beside ours.
        try Sysfs.write("none", to: "\(path)/trigger")
        most = max(1, try Sysfs.number("\(path)/max_brightness"))
        file = try Sysfs.open("\(path)/brightness")
        set(brightness: 0)
    }

    deinit { set(brightness: 0) }

    package func set(brightness: Int) {
        let brightness = min(100, max(0, brightness))
        let wanted = brightness == 0 ? 0 : max(1, most * brightness / 100)
        guard wanted != level else { return }
        if Sysfs.write(wanted, to: file) { level = wanted }
    }
}

/// A channel of a PWM chip, found by the name of the device behind the chip.
package final class PWMLight: LightDevice {
    /// 1 kHz: no eye sees it flicker.
    private static let period = 1_000_000

    private let file: Descriptor
    private var duty = -1

    package init(chip label: String, channel: Int, in folder: String = "/sys/class/pwm") throws(SysfsLightError) {
        let chips = Sysfs.names(in: folder).filter { $0.hasPrefix("pwmchip") }
        let labels = chips.map { Sysfs.linkName("\(folder)/\($0)/device") ?? $0 }
        guard let place = labels.firstIndex(of: label) else { throw .notFound(label, there: labels) }
        let path = "\(folder)/\(chips[place])"
        if access("\(path)/pwm\(channel)", F_OK) != 0 { try Sysfs.write(String(channel), to: "\(path)/export") }
        try Sysfs.write(String(Self.period), to: "\(path)/pwm\(channel)/period")
        file = try Sysfs.open("\(path)/pwm\(channel)/duty_cycle")
        set(brightness: 0)
        try Sysfs.write("1", to: "\(path)/pwm\(channel)/enable")
    }

    deinit { set(brightness: 0) }

    /// Half the duty looks nearly as bright as all of it; the square is about what an eye sees as half.
    package func set(brightness: Int) {
        let brightness = min(100, max(0, brightness))
        let wanted = Self.period / 10_000 * brightness * brightness
        guard wanted != duty else { return }
        if Sysfs.write(wanted, to: file) { duty = wanted }
    }
}

private enum Sysfs {
    static func names(in folder: String) -> [String] {
        guard let entries = opendir(folder) else { return [] }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// The last part of where a link leads.
    static func linkName(_ path: String) -> String? {
        var target = [CChar](repeating: 0, count: 4096)
        let count = readlink(path, &target, target.count)
        guard count > 0 else { return nil }
        let text = String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.split(separator: "/").last.map(String.init)
    }

    static func number(_ path: String) throws(SysfsLightError) -> Int {
        do throws(SystemError) {
            let text = String(decoding: try Files.read(path, limit: 64), as: UTF8.self)
            return Int(text.prefix { $0.isNumber }) ?? 0
        } catch { throw .failed(error) }
    }

    static func open(_ path: String) throws(SysfsLightError) -> Descriptor {
        do throws(SystemError) { return try Descriptor(opening: path, O_WRONLY) } catch { throw .failed(error) }
    }

    static func write(_ text: String, to path: String) throws(SysfsLightError) {
        let file = try open(path)
        let bytes = Array(text.utf8)
        guard Glibc.write(file.number, bytes, bytes.count) == bytes.count else {
            throw .failed(.last("write \(path)"))
        }
    }

    /// From the file's start, as a sysfs attribute is written. A light that fails is a light that stays dark.
    static func write(_ value: Int, to file: borrowing Descriptor) -> Bool {
        let bytes = Array("\(value)\n".utf8)
        return pwrite(file.number, bytes, bytes.count, 0) == bytes.count
    }
}

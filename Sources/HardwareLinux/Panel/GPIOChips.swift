// The GPIO chips of this machine, read through the shim.

import CGPIO
import Glibc

/// The GPIO chips of this machine with their lines, under libgpiod 1.6 and 2.
package enum GPIOChips {
    /// All chips that this user may open, in the kernel's order, with all their lines.
    ///
    /// - Parameter folder: where the device files are.
    package static func all(in folder: String = "/dev") throws(GPIOError) -> [GPIOChip] {
        var chips: [GPIOChip] = []
        var refused: String?
        for path in paths(in: folder) {
            do throws(SystemError) { chips.append(try read(path)) } catch {
                guard error.errno == EACCES || error.errno == EPERM else { continue }
                refused = refused ?? path
            }
        }
        if chips.isEmpty, let refused { throw .notPermitted(refused) }
        return chips
    }

    /// The library that was linked, for doctor: `libgpiod 1.6.3`.
    package static var library: String { "libgpiod \(String(cString: gpio_library_version()))" }

    /// Device files by number. The links that some systems add for old programs would show a chip twice.
    private static func paths(in folder: String) -> [String] {
        guard let entries = opendir(folder) else { return [] }
        defer { closedir(entries) }
        var numbers: [Int] = []
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasPrefix("gpiochip"), let number = Int(name.dropFirst(8)) else { continue }
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { continue }
            numbers.append(number)
        }
        return numbers.sorted().map { "\(folder)/gpiochip\($0)" }
    }

    private static func read(_ path: String) throws(SystemError) -> GPIOChip {
        guard let chip = gpio_chip_open(path) else { throw .last("open \(path)") }
        defer { gpio_chip_close(chip) }
        let lines = (0..<gpio_chip_line_count(chip)).map { offset in
            var info = gpio_line_info()
            guard gpio_chip_line_info(chip, offset, &info) == 0 else { return GPIOChip.Line(name: "") }
            let consumer = withUnsafeBytes(of: &info.consumer) { text($0) }
            return GPIOChip.Line(
                name: withUnsafeBytes(of: &info.name) { text($0) }, consumer: info.is_used ? consumer : nil)
        }
        return GPIOChip(
            path: path, name: String(cString: gpio_chip_name(chip)), label: String(cString: gpio_chip_label(chip)),
            lines: lines)
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

import Glibc
import HardwareLinux

/// Both ends of a non-blocking pipe.
struct Pipe: ~Copyable {
    let reader: Descriptor
    let writer: Descriptor

    init() throws(SystemError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw .last("pipe") }
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        reader = Descriptor(adopting: ends[0])
        writer = Descriptor(adopting: ends[1])
    }

    func fill(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { write(writer.number, $0.baseAddress, $0.count) }
    }

    func drain() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(reader.number, &buffer, buffer.count) > 0 {}
    }
}

/// A pipe that closures and collections can hold.
final class PipeBox {
    let pipe: Pipe

    init(_ pipe: consuming Pipe) { self.pipe = pipe }
}

extension Descriptor {
    func write(_ bytes: [UInt8]) throws(SystemError) -> Int {
        let number = number
        let count = bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw .last("write") }
        return count
    }
}

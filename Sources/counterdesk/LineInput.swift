// Lines of standard input, on the loop.

import Glibc
import HardwareLinux

struct LineInput {
    private static let mostLine = 256

    private final class Pending {
        var bytes: [UInt8] = []
    }

    private let pending = Pending()

    /// - Parameter body: called with each line, without its end.
    func watch(on loop: EpollLoop, _ body: @escaping (String) -> Void) {
        loop.watch(STDIN_FILENO, for: .readable) { [pending] _ in
            var chunk = [UInt8](repeating: 0, count: 1024)
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            guard count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN)) else {
                return loop.unwatch(STDIN_FILENO)
            }
            for byte in chunk[..<max(0, count)] {
                if byte == UInt8(ascii: "\n") {
                    body(String(decoding: pending.bytes.filter { $0 > 0x20 }, as: UTF8.self))
                    pending.bytes = []
                } else if pending.bytes.count < Self.mostLine {
                    pending.bytes.append(byte)
                }
            }
        }
    }
}

// A connection that is coming to be, without anybody waiting for it.

import BoxFoundation
import Glibc
import HardwareInterface

/// An address as the kernel wants it.
struct DialAddress: Sendable {
    /// A `sockaddr` of any family.
    var bytes: [UInt8]
}

/// Connects one socket: `EINPROGRESS`, then writable, then `SO_ERROR`. Some stacks take `EINPROGRESS` for a failure or
/// a socket that is writable for one that is connected (`docs/field-reports.md` 77).
final class SocketDial {
    /// Owned until it is handed over.
    private let number: Int32
    private let loop: any DescriptorLoop
    private let onEnd: (Result<Int32, PrinterLinkError>) -> Void
    private var isOver = false
    private var isHandedOver = false

    /// - Parameters:
    ///   - descriptor: a non-blocking stream socket.
    ///   - limit: how long it may take.
    ///   - onEnd: called once, from a later turn of the loop, with a descriptor that the callee owns from then on.
    init(
        _ descriptor: consuming Descriptor, to address: DialAddress, within limit: Interval,
        on loop: any DescriptorLoop, onEnd: @escaping (Result<Int32, PrinterLinkError>) -> Void
    ) {
        number = descriptor.release()
        self.loop = loop
        self.onEnd = onEnd
        begin(address)
        loop.schedule(at: loop.now + limit) { [weak self] in self?.end(.timedOut) }
    }

    deinit {
        cancel()
        if !isHandedOver { Descriptor(adopting: number).close() }
    }

    /// Nothing more is heard of it.
    func cancel() {
        guard !isOver else { return }
        isOver = true
        loop.unwatch(number)
    }

    private func begin(_ address: DialAddress) {
        let number = number
        let result = address.bytes.withUnsafeBytes { buffer -> Int32 in
            guard let base = buffer.bindMemory(to: sockaddr.self).baseAddress else { return EINVAL }
            return connect(number, base, socklen_t(buffer.count)) == 0 ? 0 : errno
        }
        // EINTR: it goes on by itself, as after EINPROGRESS.
        switch result {
        case 0, EINPROGRESS, EINTR:
            loop.watch(number, for: .writable) { [unowned self] _ in self.judge() }
        default:
            loop.schedule(at: loop.now) { [weak self] in
                self?.end(PrinterLinkError(opening: SystemError("connect", errno: result)))
            }
        }
    }

    private func judge() {
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(number, SOL_SOCKET, SO_ERROR, &error, &size) == 0 else {
            return end(PrinterLinkError(opening: .last("getsockopt")))
        }
        guard error == 0 else { return end(PrinterLinkError(opening: SystemError("connect", errno: error))) }
        isHandedOver = true
        finish(.success(number))
    }

    private func end(_ error: PrinterLinkError) { finish(.failure(error)) }

    private func finish(_ result: Result<Int32, PrinterLinkError>) {
        guard !isOver else { return }
        cancel()
        onEnd(result)
    }
}

// An open link to a printer: bytes both ways over one descriptor, whatever opened it.

import BoxFoundation
import Glibc
import HardwareInterface

final class PrinterStream {
    enum Kind {
        /// The end of the stream is the end of the link.
        case socket
        /// A read of nothing means nothing.
        case device
        /// A pipe, to which one can only write.
        case pipe
        /// Never read, always writable.
        case file
    }

    /// Bytes taken from the kernel in one turn: a printer says little.
    private static let mostRead = 512
    /// A device that has said nothing, though it seemed to have something to say, is not listened to for so long.
    private static let deafness = Interval.seconds(1)

    let kind: Kind
    private let descriptor: Descriptor
    private let loop: any DescriptorLoop
    private let onLost: (PrinterLinkError) -> Void
    private var wantsRoom = false
    private var isListening = true
    private var isClosed = false

    /// - Parameters:
    ///   - descriptor: open and non-blocking.
    ///   - onLost: called once, from the loop or from `write`'s caller's next turn, when the link is gone; the stream is
    ///     closed by then.
    init(
        _ descriptor: consuming Descriptor, _ kind: Kind, on loop: any DescriptorLoop,
        onLost: @escaping (PrinterLinkError) -> Void
    ) {
        self.descriptor = descriptor
        self.kind = kind
        self.loop = loop
        self.onLost = onLost
        guard kind != .file else { return }
        loop.watch(self.descriptor.number, for: interest) { [unowned self] ready in self.handle(ready) }
    }

    deinit { close() }

    var number: Int32 { descriptor.number }

    /// - Returns: bytes taken; 0 is no room.
    func write(_ bytes: ArraySlice<UInt8>) throws(PrinterLinkError) -> Int {
        guard !isClosed else { throw .lost }
        let number = descriptor.number
        let (count, error) = bytes.withUnsafeBytes { buffer in
            retrying {
                kind == .socket
                    ? send(number, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
                    : Glibc.write(number, buffer.baseAddress, buffer.count)
            }
        }
        if count >= 0 { return count }
        if error == EAGAIN { return 0 }
        close()
        throw PrinterLinkError(using: SystemError("write to the printer", errno: error))
    }

    /// TIOCOUTQ: what a socket's or a serial port's driver still holds.
    func queued() -> Int {
        guard !isClosed, kind == .socket || kind == .device else { return 0 }
        var count: Int32 = 0
        return ioctl(descriptor.number, UInt(TIOCOUTQ), &count) == 0 ? max(0, Int(count)) : 0
    }

    func awaitRoom() {
        guard !isClosed else { return }
        if kind == .file { return loop.post(.printer(.room)) }
        wantsRoom = true
        loop.change(descriptor.number, to: interest)
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        if kind != .file { loop.unwatch(descriptor.number) }
        // A serial port would wait on close until all is out.
        if kind == .device { tcflush(descriptor.number, TCIOFLUSH) }
    }

    // MARK: - From the loop

    private var interest: DescriptorInterest {
        var interest: DescriptorInterest = []
        if isListening, kind != .pipe { interest.insert(.readable) }
        if wantsRoom { interest.insert(.writable) }
        return interest
    }

    private func handle(_ ready: DescriptorInterest) {
        if ready.contains(.readable) || ready.contains(.failed) { read(hasFailed: ready.contains(.failed)) }
        guard !isClosed, wantsRoom, ready.contains(.writable) else { return }
        wantsRoom = false
        loop.change(descriptor.number, to: interest)
        loop.post(.printer(.room))
    }

    private func read(hasFailed: Bool) {
        let number = descriptor.number
        var buffer = [UInt8](repeating: 0, count: Self.mostRead)
        let (count, error) = retrying { Glibc.read(number, &buffer, buffer.count) }
        if count > 0 {
            loop.post(.printer(.received(Array(buffer[..<count]))))
        } else if count < 0, error != EAGAIN, error != EBADF {
            lose(PrinterLinkError(using: SystemError("read from the printer", errno: error)))
        } else if hasFailed || (count == 0 && kind == .socket) {
            lose(.lost)
        } else if count == 0 {
            beDeaf()
        }
    }

    private func lose(_ error: PrinterLinkError) {
        close()
        onLost(error)
    }

    /// Some USB printers are readable always and say nothing.
    private func beDeaf() {
        isListening = false
        loop.change(descriptor.number, to: interest)
        loop.schedule(at: loop.now + Self.deafness) { [weak self] in
            guard let self, !self.isClosed else { return }
            self.isListening = true
            self.loop.change(self.number, to: self.interest)
        }
    }
}

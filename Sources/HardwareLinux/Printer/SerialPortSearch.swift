// Which RFCOMM channel a Bluetooth printer's serial port has: its service records say so.

import BoxFoundation
import CBluetooth
import Glibc
import HardwareInterface

/// One search, without anybody waiting for it.
final class SerialPortSearch {
    private let search: OpaquePointer
    private let number: Int32
    private let loop: any DescriptorLoop
    private let onEnd: (Result<UInt8?, PrinterLinkError>) -> Void
    private var isAsked = false
    private var isOver = false

    /// - Parameters:
    ///   - limit: how long it may take.
    ///   - onEnd: called once, from a later turn of the loop, with the channel; nil where the printer names none.
    init(
        of address: String, within limit: Interval, on loop: any DescriptorLoop,
        onEnd: @escaping (Result<UInt8?, PrinterLinkError>) -> Void
    ) throws(PrinterLinkError) {
        guard let search = bluetooth_search_begin(address) else {
            throw PrinterLinkError(opening: .last("ask \(address) for its services"))
        }
        self.search = search
        number = bluetooth_search_descriptor(search)
        self.loop = loop
        self.onEnd = onEnd
        loop.watch(number, for: .writable) { [unowned self] ready in self.handle(ready) }
        loop.schedule(at: loop.now + limit) { [weak self] in self?.finish(.failure(.timedOut)) }
    }

    deinit {
        cancel()
        bluetooth_search_end(search)
    }

    /// Nothing more is heard of it.
    func cancel() {
        guard !isOver else { return }
        isOver = true
        loop.unwatch(number)
    }

    private func handle(_ ready: DescriptorInterest) {
        if !isAsked { ask() } else if !ready.isDisjoint(with: [.readable, .failed]) { read() }
    }

    private func ask() {
        isAsked = true
        guard bluetooth_search_ask(search) == 0 else { return fail() }
        loop.change(number, to: .readable)
    }

    private func read() {
        switch bluetooth_search_read(search) {
        case 0: break
        case 1:
            let channel = bluetooth_search_channel(search)
            finish(.success(channel == 0 ? nil : channel))
        default: fail()
        }
    }

    private func fail() {
        finish(.failure(PrinterLinkError(opening: .last("ask the printer for its services"))))
    }

    private func finish(_ result: Result<UInt8?, PrinterLinkError>) {
        guard !isOver else { return }
        cancel()
        onEnd(result)
    }
}

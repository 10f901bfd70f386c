// A printer over Bluetooth classic: an RFCOMM socket, which needs no root and no /dev/rfcomm0.

import BoxFoundation
import CBluetooth
import Glibc
import HardwareInterface

/// A printer over RFCOMM. Connecting ends after 20 s.
package final class BluetoothPrinter: PrinterDevice {
    /// For the search of the channel, and for the connection. The kernel's own page timeout is 5 s a try.
    package static let connectLimit = Interval.seconds(20)
    private let address: String
    private let loop: any DescriptorLoop
    private var channel: SerialPortChannel
    private var isConnecting = false
    private var search: SerialPortSearch?
    private var dial: SocketDial?
    private var stream: PrinterStream?
    /// What the kernel calls the length of its queue when the queue is empty.
    private var emptyQueue = 0

    /// - Parameters:
    ///   - channel: nil asks the printer.
    ///   - usualChannel: where the printer cannot be asked, or names none.
    package init(address: String, channel: UInt8?, usualChannel: UInt8 = 1, on loop: any DescriptorLoop) {
        self.address = address
        self.channel = SerialPortChannel(fixed: channel, usual: usualChannel)
        self.loop = loop
    }

    package func connect() {
        guard !isConnecting, stream == nil else { return }
        isConnecting = true
        take(channel.begin())
    }

    package func write(_ bytes: ArraySlice<UInt8>) throws(PrinterLinkError) -> Int {
        guard let stream else { throw .lost }
        do {
            return try stream.write(bytes)
        } catch {
            self.stream = nil
            throw error
        }
    }

    /// For Bluetooth sockets TIOCOUTQ is the room that is left, not what is queued.
    package func unsent() -> Int {
        guard let stream else { return 0 }
        return emptyQueue > 0 ? max(0, emptyQueue - stream.queued()) : stream.queued()
    }

    package func awaitRoom() { stream?.awaitRoom() }

    package func disconnect() {
        isConnecting = false
        search?.cancel()
        search = nil
        dial?.cancel()
        dial = nil
        stream?.close()
        stream = nil
    }

    // MARK: - Connecting

    private func take(_ step: SerialPortChannel.Step) {
        switch step {
        case .ask: searchChannel()
        case .dial(let number): dial(number)
        case .fail(let error): fail(error)
        }
    }

    private func searchChannel() {
        do {
            search = try SerialPortSearch(of: address, within: Self.connectLimit, on: loop) { [unowned self] result in
                self.searched(result)
            }
        } catch {
            fail(error)
        }
    }

    private func searched(_ result: Result<UInt8?, PrinterLinkError>) {
        search = nil
        switch result {
        case .success(let number): take(channel.answered(number))
        case .failure(let error): take(channel.askingFailed(error))
        }
    }

    private func dial(_ channel: UInt8) {
        do {
            let socket = try Descriptor("Bluetooth socket") { bluetooth_rfcomm_socket() }
            dial = SocketDial(
                socket, to: try socketAddress(channel), within: Self.connectLimit, on: loop
            ) { [unowned self] result in self.dialled(result) }
        } catch {
            fail(PrinterLinkError(opening: error))
        }
    }

    private func socketAddress(_ channel: UInt8) throws(SystemError) -> DialAddress {
        var bytes = [UInt8](repeating: 0, count: MemoryLayout<sockaddr_storage>.size)
        let length = bluetooth_rfcomm_address(address, channel, &bytes, bytes.count)
        guard length > 0 else { throw SystemError("Bluetooth address \(address)", errno: EINVAL) }
        return DialAddress(bytes: Array(bytes[..<length]))
    }

    private func dialled(_ result: Result<Int32, PrinterLinkError>) {
        dial = nil
        switch result {
        case .success(let number): open(Descriptor(adopting: number))
        case .failure(let error): take(channel.dialFailed(error))
        }
    }

    private func open(_ descriptor: consuming Descriptor) {
        isConnecting = false
        let stream = PrinterStream(descriptor, .socket, on: loop) { [unowned self] error in
            self.stream = nil
            self.loop.post(.printer(.lost(error)))
        }
        emptyQueue = stream.queued()
        self.stream = stream
        loop.post(.printer(.connected))
    }

    private func fail(_ error: PrinterLinkError) {
        isConnecting = false
        loop.post(.printer(.lost(error)))
    }
}

// A printer on the network: raw bytes to port 9100.

import BoxFoundation
import CLinux
import Glibc
import HardwareInterface

/// A printer on the network. Connecting ends after 10 s.
package final class TCPPrinter: PrinterDevice {
    /// For looking the name up, and for each address.
    package static let connectLimit = Interval.seconds(10)
    /// Retransmissions in a row that were not answered, after which the printer is taken for gone: some 25 s. Probes of
    /// a printer that has paper out and takes nothing are answered, for hours.
    private static let mostUnanswered = 7

    private let loop: any DescriptorLoop
    private let host: String
    private let port: UInt16
    private var resolver: NameResolver
    private var isConnecting = false
    /// Tells this attempt's answer and limit from an older one's.
    private var attempt = 0
    /// Addresses still to try.
    private var addresses: [SocketAddress] = []
    private var dial: SocketDial?
    private var stream: PrinterStream?

    package init(host: String, port: UInt16, on loop: any DescriptorLoop) {
        self.host = host
        self.port = port
        self.loop = loop
        resolver = NameResolver(on: loop)
    }

    package func connect() {
        guard !isConnecting, stream == nil else { return }
        isConnecting = true
        attempt += 1
        guard let place = HostAndPort(host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)") else {
            return fail(.unknownName)
        }
        let asking = attempt
        resolver.resolve(place) { [unowned self] answer in self.resolved(answer, attempt: asking) }
        loop.schedule(at: loop.now + Self.connectLimit) { [weak self] in self?.giveUpName(attempt: asking) }
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

    package func unsent() -> Int {
        guard let stream else { return 0 }
        let count = stream.queued()
        if count > 0, isDead(stream) {
            disconnect()
            loop.post(.printer(.lost(.timedOut)))
        }
        return count
    }

    package func awaitRoom() { stream?.awaitRoom() }

    package func disconnect() {
        isConnecting = false
        attempt += 1
        dial?.cancel()
        dial = nil
        stream?.close()
        stream = nil
    }

    // MARK: - Connecting

    private func resolved(_ answer: NameAnswer, attempt: Int) {
        guard attempt == self.attempt else { return }
        self.attempt += 1
        guard case .addresses(let found) = answer else { return fail(.unknownName) }
        // IPv4 first: few printers have IPv6, and many names have both.
        addresses = found.filter { $0.family == AF_INET } + found.filter { $0.family != AF_INET }
        dial(addresses.removeFirst())
    }

    /// A resolver that hangs is left behind with its thread.
    private func giveUpName(attempt: Int) {
        guard attempt == self.attempt else { return }
        self.attempt += 1
        resolver = NameResolver(on: loop)
        fail(.unknownName)
    }

    private func dial(_ address: SocketAddress) {
        do {
            let socket = try Descriptor("socket") {
                Glibc.socket(
                    address.family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
            }
            let raw = address.withSockaddr {
                DialAddress(bytes: Array(UnsafeRawBufferPointer(start: $0, count: Int($1))))
            }
            dial = SocketDial(socket, to: raw, within: Self.connectLimit, on: loop) { [unowned self] result in
                self.dialled(result)
            }
        } catch {
            fail(PrinterLinkError(opening: error))
        }
    }

    private func dialled(_ result: Result<Int32, PrinterLinkError>) {
        dial = nil
        switch result {
        case .success(let number):
            isConnecting = false
            Self.prepare(number)
            stream = PrinterStream(Descriptor(adopting: number), .socket, on: loop) { [unowned self] error in
                self.stream = nil
                self.loop.post(.printer(.lost(error)))
            }
            loop.post(.printer(.connected))
        case .failure(let error):
            if addresses.isEmpty { fail(error) } else { dial(addresses.removeFirst()) }
        }
    }

    private func fail(_ error: PrinterLinkError) {
        isConnecting = false
        loop.post(.printer(.lost(error)))
    }

    // MARK: - The socket

    /// Small writes go at once, and a printer that was switched off is noticed on an idle link within a minute.
    private static func prepare(_ number: Int32) {
        set(number, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        set(number, SOL_SOCKET, SO_KEEPALIVE, 1)
        set(number, Int32(IPPROTO_TCP), TCP_KEEPIDLE, 30)
        set(number, Int32(IPPROTO_TCP), TCP_KEEPINTVL, 10)
        set(number, Int32(IPPROTO_TCP), TCP_KEEPCNT, 3)
    }

    private static func set(_ number: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        // A kernel without it only notices later.
        _ = setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The kernel keeps trying for a quarter of an hour. TCP_USER_TIMEOUT would shorten that, but also cuts off a printer
    /// that waits for paper with a closed window.
    private func isDead(_ stream: PrinterStream) -> Bool {
        var info = tcp_info()
        var size = socklen_t(MemoryLayout<tcp_info>.size)
        guard getsockopt(stream.number, Int32(IPPROTO_TCP), TCP_INFO, &info, &size) == 0 else { return false }
        return Int(info.tcpi_retransmits) >= Self.mostUnanswered || Int(info.tcpi_probes) >= Self.mostUnanswered
    }
}

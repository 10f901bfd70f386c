// Names to addresses, on a worker thread: the system's resolver may take half a minute.

import BoxFoundation
import Glibc
import HardwareInterface

/// What a name came to.
package enum NameAnswer: Equatable, Sendable {
    /// At least one, in the order the system prefers.
    case addresses([SocketAddress])
    /// The text says why, for the log.
    case unknown(String)
}

/// Resolves in the order asked. A number needs no thread and is answered from the loop's next turn too.
package final class NameResolver {
    private let loop: any DescriptorLoop
    private var worker: WorkerThread<HostAndPort, NameAnswer>?
    private var waiting: [(NameAnswer) -> Void] = []

    package init(on loop: any DescriptorLoop) { self.loop = loop }

    deinit { worker?.abandon() }

    /// - Parameter answer: called once from the loop, unless the resolver goes before.
    package func resolve(_ place: HostAndPort, _ answer: @escaping (NameAnswer) -> Void) {
        if let host = SocketAddress.Host(place.host) {
            let address = SocketAddress(host: host, port: place.port)
            return loop.schedule(at: loop.now) { answer(.addresses([address])) }
        }
        do throws(SystemError) {
            try startedWorker().submit(place)
            waiting.append(answer)
        } catch {
            let message = error.message
            loop.schedule(at: loop.now) { answer(.unknown(message)) }
        }
    }

    private func startedWorker() throws(SystemError) -> WorkerThread<HostAndPort, NameAnswer> {
        if let worker { return worker }
        let worker = try WorkerThread<HostAndPort, NameAnswer>(
            "resolver", on: loop, onAnswers: { [unowned self] in handOut() }, making: { Self.lookUp })
        self.worker = worker
        return worker
    }

    private func handOut() {
        for answer in worker?.takeAnswers() ?? [] { waiting.removeFirst()(answer) }
    }

    /// Blocks.
    private static func lookUp(_ place: HostAndPort) -> NameAnswer {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let error = getaddrinfo(place.host, String(place.port), &hints, &found)
        guard error == 0 else {
            return .unknown("no address for \(place.host): \(String(cString: gai_strerror(error)))")
        }
        defer { freeaddrinfo(found) }
        let addresses = addresses(in: found)
        return addresses.isEmpty ? .unknown("no address for \(place.host)") : .addresses(addresses)
    }

    private static func addresses(in list: UnsafeMutablePointer<addrinfo>?) -> [SocketAddress] {
        var addresses: [SocketAddress] = []
        var next = list
        while let entry = next?.pointee {
            let raw = UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen))
            if let address = SocketAddress(raw) { addresses.append(address) }
            next = entry.ai_next
        }
        return addresses
    }
}

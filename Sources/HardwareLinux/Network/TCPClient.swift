// Outgoing push connections: of the field verb `push`, and of a box that dials.

import BoxFoundation
import Glibc
import HardwareInterface

/// Connects without blocking, address after address. What cannot be connected ends in `closed` without an `opened`.
package final class TCPClient: NetworkDevice {
    /// For each address of a name.
    package static let connectLimit = Interval.seconds(10)

    /// A connection that is not there yet. Without a socket it waits for its name, or to be tried.
    private final class Attempt {
        var addresses: ArraySlice<SocketAddress> = []
        var socket: Descriptor?
        /// Of the address being tried; an old deadline has an older number.
        var number = 0
        var lastCause = ""
    }

    private let loop: any DescriptorLoop
    private let resolver: NameResolver
    private let connections: TCPConnections
    private var attempts: [ConnectionID: Attempt] = [:]

    package init(on loop: any DescriptorLoop, closeLimit: Interval = closeLimit) {
        self.loop = loop
        resolver = NameResolver(on: loop)
        connections = TCPConnections(on: loop, closeLimit: closeLimit)
    }

    deinit {
        for attempt in attempts.values { stopWatching(attempt) }
    }

    /// Begins to connect; `opened` follows, or `closed` with the cause of the last address tried.
    package func dial(_ place: HostAndPort) -> ConnectionID {
        let id = connections.nextID()
        let attempt = Attempt()
        attempts[id] = attempt
        resolver.resolve(place) { [weak self] answer in
            guard let self, attempts[id] === attempt else { return }
            switch answer {
            case .addresses(let addresses):
                attempt.addresses = addresses[...]
                tryNext(id, attempt)
            case .unknown(let cause): fail(id, cause)
            }
        }
        return id
    }

    package func send(_ bytes: [UInt8], on connection: ConnectionID) {
        connections.send(bytes, on: connection, mostQueued: Self.mostQueued)
    }

    package func close(_ connection: ConnectionID) {
        if attempts[connection] != nil { fail(connection, "closed") } else { connections.close(connection) }
    }

    // MARK: - Connecting

    private func tryNext(_ id: ConnectionID, _ attempt: Attempt) {
        guard let address = attempt.addresses.popFirst() else { return fail(id, attempt.lastCause) }
        attempt.number += 1
        do throws(SystemError) {
            attempt.socket = try TCPSocket.connect(to: address)
        } catch {
            attempt.lastCause = error.message
            return tryNext(id, attempt)
        }
        guard let number = attempt.socket?.number else { return }
        loop.watch(number, for: .writable) { [unowned self, unowned attempt] _ in finish(id, attempt, address) }
        setDeadline(id, attempt, address)
    }

    private func setDeadline(_ id: ConnectionID, _ attempt: Attempt, _ address: SocketAddress) {
        let number = attempt.number
        loop.schedule(at: loop.now + Self.connectLimit) { [weak self, weak attempt] in
            guard let self, let attempt, attempt.number == number, attempts[id] === attempt else { return }
            giveUp(id, attempt, "connect \(address): \(SystemError.text(ETIMEDOUT))")
        }
    }

    private func finish(_ id: ConnectionID, _ attempt: Attempt, _ address: SocketAddress) {
        guard let socket = attempt.socket.take() else { return }
        loop.unwatch(socket.number)
        let error = TCPSocket.pendingError(socket.number)
        guard error == 0 else {
            return giveUp(id, attempt, SystemError("connect \(address)", errno: error).message)
        }
        attempts[id] = nil
        connections.open(id, TCPConnection(socket, peer: NetworkPeer(address: address.description)))
    }

    private func giveUp(_ id: ConnectionID, _ attempt: Attempt, _ cause: String) {
        stopWatching(attempt)
        attempt.lastCause = cause
        tryNext(id, attempt)
    }

    private func fail(_ id: ConnectionID, _ cause: String) {
        guard let attempt = attempts.removeValue(forKey: id) else { return }
        stopWatching(attempt)
        loop.post(.network(.closed(id, cause)))
    }

    private func stopWatching(_ attempt: Attempt) {
        if let number = attempt.socket?.number { loop.unwatch(number) }
        attempt.socket = nil
    }
}

// One connection coming to be, over whichever address answers first (Happy Eyeballs, RFC 8305): the addresses are tried
// in turn, IPv6 and IPv4 alternating, each with a head start on the next. A network whose IPv6 leads nowhere costs the
// head start and not a timeout.

import BoxFoundation
import Glibc
import HardwareInterface

final class TCPDial {
    /// What an address has for itself before the next one is tried too (RFC 8305, 5).
    static let headStart = Interval.milliseconds(250)
    /// Addresses tried at most.
    static let mostAddresses = 8

    private final class Try {
        /// nil once it was handed over.
        var socket: Descriptor?
        /// Of the socket.
        let number: Int32
        let address: SocketAddress

        init(_ socket: consuming Descriptor, _ address: SocketAddress) {
            number = socket.number
            self.socket = consume socket
            self.address = address
        }
    }

    private let loop: any DescriptorLoop
    private let limit: Interval
    private let onEnd: (Result<(Int32, SocketAddress), DialFailure>) -> Void
    private var waiting: ArraySlice<SocketAddress>
    private var tries: [Try] = []
    /// Of the head start that counts; older ones do not.
    private var turn = 0
    private var lastCause = ""
    private var isOver = false

    struct DialFailure: Error {
        /// Of the address that failed last.
        var cause: String
    }

    /// - Parameters:
    ///   - limit: for each address.
    ///   - onEnd: called once, from a later turn of the loop, with a descriptor that the callee owns from then on.
    init(
        _ addresses: [SocketAddress], within limit: Interval, on loop: any DescriptorLoop,
        onEnd: @escaping (Result<(Int32, SocketAddress), DialFailure>) -> Void
    ) {
        self.loop = loop
        self.limit = limit
        self.onEnd = onEnd
        waiting = Self.alternating(addresses).prefix(Self.mostAddresses)
        loop.schedule(at: loop.now) { [weak self] in self?.tryNext() }
    }

    deinit { cancel() }

    /// Nothing more is heard of it.
    func cancel() {
        isOver = true
        for attempt in tries { loop.unwatch(attempt.number) }
        tries = []
    }

    /// The families take turns, each in its own order; the first address stays the first.
    static func alternating(_ addresses: [SocketAddress]) -> [SocketAddress] {
        guard let first = addresses.first?.family else { return [] }
        var ours = addresses.filter { $0.family == first }[...]
        var others = addresses.filter { $0.family != first }[...]
        var all: [SocketAddress] = []
        while !ours.isEmpty || !others.isEmpty {
            if let address = ours.popFirst() { all.append(address) }
            if let address = others.popFirst() { all.append(address) }
        }
        return all
    }

    private func tryNext() {
        guard !isOver else { return }
        guard let address = waiting.popFirst() else {
            if tries.isEmpty { end(.failure(DialFailure(cause: lastCause))) }
            return
        }
        do throws(SystemError) {
            begin(Try(try TCPSocket.connect(to: address), address))
        } catch {
            lastCause = error.message
            return tryNext()
        }
        turn += 1
        let turn = turn
        loop.schedule(at: loop.now + Self.headStart) { [weak self] in
            if let self, self.turn == turn, !waiting.isEmpty { tryNext() }
        }
    }

    private func begin(_ attempt: Try) {
        tries.append(attempt)
        loop.watch(attempt.number, for: .writable) { [unowned self, unowned attempt] _ in judge(attempt) }
        loop.schedule(at: loop.now + limit) { [weak self, weak attempt] in
            if let self, let attempt { fail(attempt, SystemError("connect \(attempt.address)", errno: ETIMEDOUT)) }
        }
    }

    private func judge(_ attempt: Try) {
        let error = TCPSocket.pendingError(attempt.number)
        guard error == 0 else { return fail(attempt, SystemError("connect \(attempt.address)", errno: error)) }
        guard !isOver, let socket = attempt.socket.take() else { return }
        loop.unwatch(attempt.number)
        tries.removeAll { $0 === attempt }
        end(.success((socket.release(), attempt.address)))
    }

    private func fail(_ attempt: Try, _ error: SystemError) {
        guard let place = tries.firstIndex(where: { $0 === attempt }) else { return }
        loop.unwatch(attempt.number)
        tries.remove(at: place)
        lastCause = error.message
        tryNext()
    }

    private func end(_ result: Result<(Int32, SocketAddress), DialFailure>) {
        guard !isOver else { return }
        cancel()
        onEnd(result)
    }
}

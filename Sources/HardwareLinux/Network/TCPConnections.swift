// All connections of one device: their numbers, their turns on the loop, their events.

import BoxFoundation
import HardwareInterface

/// What TCPListener and TCPClient have in common. Output is sent when the box has taken all its events, so that the
/// answers to a burst leave in one packet.
final class TCPConnections {
    /// Bytes read from one connection in one turn; the others have theirs before it reads again.
    private static let mostRead = 64 << 10

    /// A connection in a box that the dictionary and handlers can share.
    private final class Entry {
        var connection: TCPConnection
        var isFlushDue = false

        init(_ connection: consuming TCPConnection) { self.connection = connection }
    }

    private let loop: any DescriptorLoop
    private let closeLimit: Interval
    private let report: (NetworkEvent) -> Void
    private var entries: [ConnectionID: Entry] = [:]
    private var numbers: UInt32 = 0
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: mostRead, alignment: 16)

    /// - Parameters:
    ///   - closeLimit: how long a closing connection may take.
    ///   - report: takes what happens; nil posts it to the loop.
    init(on loop: any DescriptorLoop, closeLimit: Interval, report: ((NetworkEvent) -> Void)? = nil) {
        self.loop = loop
        self.closeLimit = closeLimit
        self.report = report ?? { [unowned loop] in loop.post(.network($0)) }
    }

    deinit {
        for entry in entries.values { loop.unwatch(entry.connection.number) }
        buffer.deallocate()
    }

    var count: Int { entries.count }

    func nextID() -> ConnectionID {
        numbers += 1
        return ConnectionID(numbers)
    }

    func open(_ id: ConnectionID, _ connection: consuming TCPConnection) {
        let entry = Entry(connection)
        entries[id] = entry
        loop.watch(entry.connection.number, for: entry.connection.interest) { [unowned self, unowned entry] ready in
            turn(id, entry, ready)
        }
        report(.opened(id, entry.connection.peer))
    }

    // MARK: - NetworkDevice

    func send(_ bytes: [UInt8], on id: ConnectionID, mostQueued: Int) {
        guard let entry = entries[id], !entry.connection.isClosing else { return }
        entry.connection.enqueue(bytes)
        if entry.connection.queued > mostQueued {
            settle(id, entry, entry.connection.flush())
            if entry.connection.queued > mostQueued { end(id, "takes nothing: \(mostQueued) bytes wait") }
            return
        }
        guard !entry.isFlushDue else { return }
        entry.isFlushDue = true
        loop.schedule(at: loop.now) { [weak self, weak entry] in
            guard let self, let entry else { return }
            entry.isFlushDue = false
            if entries[id] === entry { settle(id, entry, entry.connection.flush()) }
        }
    }

    func close(_ id: ConnectionID) {
        guard let entry = entries[id], !entry.connection.isClosing else { return }
        settle(id, entry, entry.connection.beginToClose())
        loop.schedule(at: loop.now + closeLimit) { [weak self] in
            self?.end(id, "closed, with bytes unsent or unread")
        }
    }

    // MARK: - Turns

    private func turn(_ id: ConnectionID, _ entry: Entry, _ ready: DescriptorInterest) {
        // A failed socket may still hold bytes that came before its end.
        if ready.contains(.readable) || ready.contains(.failed) {
            let (bytes, outcome) = entry.connection.receive(into: buffer)
            if let bytes { report(.received(id, bytes)) }
            if case .ended(let cause) = outcome { return end(id, cause) }
        }
        if ready.contains(.writable) { settle(id, entry, entry.connection.flush()) }
    }

    private func settle(_ id: ConnectionID, _ entry: Entry, _ outcome: ConnectionOutcome) {
        switch outcome {
        case .open: loop.change(entry.connection.number, to: entry.connection.interest)
        case .ended(let cause): end(id, cause)
        }
    }

    private func end(_ id: ConnectionID, _ cause: String) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        loop.unwatch(entry.connection.number)
        report(.closed(id, cause))
    }
}

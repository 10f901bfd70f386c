// What cnats' threads have to say, until the loop takes it.

import CLinux
import CNATS
import Glibc
import HardwareInterface

/// `@unchecked Sendable`: every stored `var` is read and written with `lock` held.
final class NATSMailbox: @unchecked Sendable {
    /// A connection as cnats names it.
    struct Client: Hashable, Sendable {
        let number: UInt

        init(_ connection: OpaquePointer?) { number = UInt(bitPattern: connection) }
    }

    enum News: Sendable {
        case opened(ConnectionID, Client, String)
        case failed(ConnectionID, String)
        case message(Client, FleetMessage)
        case denied(Client, String)
        case lost(Client, String)
    }

    /// Messages not taken at most. More are dropped: what matters comes again.
    private static let most = 4096

    /// Readable when there is news.
    let bell: Descriptor
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var news: [News] = []

    init() throws(SystemError) {
        bell = try Descriptor("eventfd") { eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)) }
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    func put(_ item: News) {
        pthread_mutex_lock(lock)
        let isFirst = news.isEmpty
        if case .message = item, news.count >= Self.most {} else { news.append(item) }
        pthread_mutex_unlock(lock)
        guard isFirst else { return }
        var one: UInt64 = 1
        _ = write(bell.number, &one, MemoryLayout<UInt64>.size)
    }

    func take() -> [News] {
        var rings: UInt64 = 0
        _ = read(bell.number, &rings, MemoryLayout<UInt64>.size)
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        let taken = news
        news = []
        return taken
    }
}

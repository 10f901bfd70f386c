// One open page's connection: it rests while there is nothing to send, and is woken when there is.

import CHTTP

/// A page that listens.
final class OpenPage {
    var onClose: (() -> Void)?

    private let connection: OpaquePointer
    private let snapshot: () -> [UInt8]
    private var feed = PageFeed()
    private var isSuspended = false
    private var isEnding = false

    init(_ connection: OpaquePointer, snapshot: @escaping () -> [UInt8]) {
        self.connection = connection
        self.snapshot = snapshot
    }

    func add(_ event: [UInt8]) {
        feed.add(event)
        resume()
    }

    func end() {
        isEnding = true
        resume()
    }

    /// - Returns: bytes copied; 0 while there are none, -1 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if isEnding { return -1 }
        guard feed.hasMore else {
            isSuspended = true
            MHD_suspend_connection(connection)
            return 0
        }
        let bytes = feed.take(most: buffer.count, snapshot: snapshot)
        buffer.copyBytes(from: bytes)
        return bytes.count
    }

    private func resume() {
        guard isSuspended else { return }
        isSuspended = false
        MHD_resume_connection(connection)
    }
}

func readPage(
    _ owner: UnsafeMutableRawPointer?, _ place: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ most: Int
) -> Int {
    guard let owner, let buffer else { return -1 }
    let page = Unmanaged<OpenPage>.fromOpaque(owner).takeUnretainedValue()
    return page.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: most))
}

func freePage(_ owner: UnsafeMutableRawPointer?) {
    guard let owner else { return }
    Unmanaged<OpenPage>.fromOpaque(owner).takeRetainedValue().onClose?()
}

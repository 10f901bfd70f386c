// What devices of this target need from the loop: to be called when a descriptor is ready.

import HardwareInterface

/// What a descriptor is watched for, and what it is found ready for.
package struct DescriptorInterest: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// There is something to read, or the stream has ended.
    package static let readable = DescriptorInterest(rawValue: 1)
    /// There is room to write.
    package static let writable = DescriptorInterest(rawValue: 2)
    /// EPOLLERR or EPOLLHUP: reported whether asked for or not, and again at every turn until the descriptor is
    /// unwatched or mended.
    package static let failed = DescriptorInterest(rawValue: 4)
}

/// An event loop that waits for descriptors too. Readiness is level-triggered: what is left unread is reported again.
///
/// A handler is called from `wait`, may watch, change and unwatch any descriptor, its own included, and is never called
/// after its `unwatch`. It must take a stale readiness (EAGAIN) as harmless.
package protocol DescriptorLoop: EventLoop {
    /// Begins to watch an open descriptor, which must be non-blocking and not yet watched. The handler is kept until
    /// `unwatch`. What cannot be waited for (a plain file, `/dev/null`) is always ready, as in `poll`.
    func watch(_ descriptor: Int32, for interest: DescriptorInterest, _ handler: @escaping (DescriptorInterest) -> Void)

    /// Watches for something else, or with `[]` for failures only. Does nothing for a descriptor that is not watched.
    func change(_ descriptor: Int32, to interest: DescriptorInterest)

    /// Call it before the descriptor is closed. Does nothing for a descriptor that is not watched.
    func unwatch(_ descriptor: Int32)
}

// Threads beside the loop, which owns all signals.

import CLinux
import Glibc

/// Starts a thread that takes no signals: those are the loop's.
func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) -> pthread_t {
    final class Start {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

    let start = Unmanaged.passRetained(Start(body))
    var thread = pthread_t()
    let error = pthread_create(
        &thread, nil,
        { argument in
            guard let argument else { return nil }
            Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
            return nil
        }, start.toOpaque())
    guard error == 0 else {
        start.release()
        throw SystemError("pthread_create \(name)", errno: error)
    }
    clinux_name_thread(thread, String(decoding: name.utf8.prefix(15), as: UTF8.self))
    return thread
}

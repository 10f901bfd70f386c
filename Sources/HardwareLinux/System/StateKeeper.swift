// Small files kept while the loop turns: a sync takes an SD card up to seconds, and a phrase would stop for it.

import Glibc
import HardwareInterface

/// Keeps files of a state folder on a thread that begins with the first. Of one name only the newest content waits.
package final class StateKeeper: StateWriter {
    private struct File: Sendable {
        var name: String
        var bytes: [UInt8]
    }

    private let path: String
    private let loop: any DescriptorLoop
    private var worker: WorkerThread<File, Bool>?
    /// Told when what is under way cannot be kept; nil while nothing is.
    private var underWay: (() -> Void)?
    private var waiting: [(file: File, failed: () -> Void)] = []

    package init(_ path: String, on loop: any DescriptorLoop) { (self.path, self.loop) = (path, loop) }

    package func write(_ bytes: [UInt8], as name: String, failed: @escaping () -> Void) {
        waiting.removeAll { $0.file.name == name }
        waiting.append((File(name: name, bytes: bytes), failed))
        next()
    }

    /// Waits until all is kept. For the end of the program.
    package func stop() {
        worker?.stop()
        takeAnswers()
        let folder = StateFolder(path)
        for (file, failed) in waiting where !folder.save(file.bytes, as: file.name) { failed() }
        waiting = []
    }

    private func next() {
        guard underWay == nil, let first = waiting.first else { return }
        do throws(SystemError) {
            let worker = try startedWorker()
            waiting.removeFirst()
            underWay = first.failed
            worker.submit(first.file)
        } catch {
            // No thread is to be had: late is better than never.
            waiting.removeFirst()
            if !StateFolder(path).save(first.file.bytes, as: first.file.name) { first.failed() }
        }
    }

    private func startedWorker() throws(SystemError) -> WorkerThread<File, Bool> {
        if let worker { return worker }
        let worker = try WorkerThread<File, Bool>(
            "state", on: loop,
            onAnswers: { [unowned self] in
                takeAnswers()
                next()
            },
            making: { [path] in
                let folder = StateFolder(path)
                return { folder.save($0.bytes, as: $0.name) }
            })
        self.worker = worker
        return worker
    }

    private func takeAnswers() {
        for isKept in worker?.takeAnswers() ?? [] {
            let failed = underWay
            underWay = nil
            if !isKept { failed?() }
        }
    }
}

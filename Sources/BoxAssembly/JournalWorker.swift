// The journal on its own thread: a commit on an SD card may take long.

import BoxFoundation
import HardwareInterface
import HardwareLinux
import PaymentJournal

/// The journal as a worker of the loop: batches in, answers through a descriptor.
package enum JournalWorker {
    /// Its name in the state folder.
    package static let fileName = "journal.sqlite"

    package static func start(
        _ state: String, on loop: any DescriptorLoop
    ) throws(AssemblyFault) -> WorkerThread<JournalBatch, JournalAnswer> {
        let path = "\(state)/\(fileName)"
        do {
            return try WorkerThread(
                "journal", on: loop,
                making: {
                    let database = JournalDatabase(path: path)
                    return { database.perform($0) }
                })
        } catch {
            throw AssemblyFault(error.message)
        }
    }
}

// What a doctor can see from outside of the running box: files, rights, the console's port, network and board. It opens
// nothing that the box may be using, and changes nothing.

import BoxDoctor
import BoxFoundation
import BoxSettings
import Glibc
import HardwareInterface
import HardwareLinux
import PaymentJournal

/// What can be seen of a box without touching its devices, as facts for the doctor.
package struct Examination {
    private let configuration: Configuration
    private let reader: MachineReader
    private var settings: Settings { configuration.settings }

    package init(_ configuration: Configuration, reader: MachineReader = MachineReader()) {
        self.configuration = configuration
        self.reader = reader
    }

    package func facts() -> DoctorFacts { facts(reader.read(state: settings.state)) }

    package func facts(_ reading: MachineReading) -> DoctorFacts {
        var facts = DoctorFacts()
        facts.notes = configuration.notes + configuration.unknownNames
        facts.state = FolderFact(folder: settings.state)
        // Of a fleet's box no hub needs to know a key; without credentials the server lets it in or does not.
        if case .nats(let nats)? = settings.push {
            facts.credentials = nats.credentials.map { KeyFile.fact(credentials: $0) }
        } else {
            facts.key = KeyFile.fact(settings.keyPath)
        }
        facts.console = settings.console.port.map { ConsoleFact(port: $0) } ?? ConsoleFact.none
        facts.speaker = settings.speaker.alsa.map { .ready(name: $0) } ?? SpeakerFact.none
        if settings.push == nil { facts.hub = .unusable }
        facts.machine = MachineFacts(reading)
        return facts
    }
}

extension FolderFact {
    init(folder path: String) {
        var status = stat()
        if stat(path, &status) != 0 {
            self = errno == EACCES ? .notWritable(path: path) : .missing(path: path)
        } else if status.st_mode & S_IFMT != S_IFDIR {
            self = .noFolder(path: path)
        } else {
            self = access(path, R_OK | W_OK | X_OK) == 0 ? .ready(path: path) : .notWritable(path: path)
        }
    }
}

extension ConsoleFact {
    init(port path: String) {
        var status = stat()
        if stat(path, &status) != 0 {
            self =
                errno == ENOENT || errno == ENOTDIR
                ? .missing(port: path) : .failed(port: path, SystemError.text(errno))
        } else if access(path, R_OK | W_OK) != 0 {
            self =
                errno == EACCES || errno == EPERM
                ? .notPermitted(port: path) : .failed(port: path, SystemError.text(errno))
        } else if status.st_mode & S_IFMT != S_IFCHR {
            self = .failed(port: path, "it is no terminal")
        } else {
            self = .ready(port: path)
        }
    }
}

extension JournalFact {
    /// A look at the file that opens no database: the running box may have it, and a doctor changes nothing.
    ///
    /// - Returns: nil where there is none yet.
    package init?(file path: String) {
        let set = Files.names(in: String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
            .filter { "/\($0)".hasPrefix("/\(JournalWorker.fileName).corrupt-") }
        let kept = set.last.map {
            JournalOpening.setAside(name: $0, JournalFailure(.corrupt, "at an earlier start"), kept: nil)
        }
        do throws(SystemError) {
            let bytes = try Files.readStart(path, count: Self.header.count)
            let isJournal = bytes.isEmpty || bytes == Self.header
            self.init(
                opening: isJournal ? kept ?? .ready : .unusable(JournalFailure(.corrupt, "\(path) is no database")))
        } catch {
            switch error.errno {
            case ENOENT, ENOTDIR:
                guard let kept else { return nil }
                self.init(opening: kept)
            case EACCES, EPERM: self.init(opening: .unusable(JournalFailure(.cannotOpen, error.message)))
            default: self.init(opening: .unusable(JournalFailure(.disk, error.message)))
            }
        }
    }

    private static let header = Array("SQLite format 3\0".utf8)
}

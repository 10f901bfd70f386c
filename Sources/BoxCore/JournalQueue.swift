// What the box wants of the journal, in order, one batch at a time: what is asked while a commit is under way waits and
// shares the next one.

import BoxFoundation
import HardwareInterface
import PaymentJournal
import PushProtocol
import ReceiptPrinting
import ServiceConsole
import VoiceAnnouncing

/// What an answer of the journal is for.
enum JournalPurpose {
    /// A page of what the last run left.
    case restore
    /// A body of what the last run left.
    case restoreBody(PushNumber)
    case take(PushArrival)
    /// A push that cannot be taken: a known id is a duplicate all the same.
    case judge(PushArrival, PushRefusal)
    /// The last of the halves that are noted as begun.
    case voiceBegan([AnnouncementID])
    case paperBegan(PrintJobID)
    case ended(PushNumber, JournalHalf)
    case told
    case printBody(PrintJobID, isMarked: Bool)
    /// A page of what may have to be told to a hub that was just welcomed.
    case untold(ConnectionID)
    case reprint(ReprintOrder)
    /// Say the last payment again.
    case repeatLast
    /// Say how the day was.
    case sayDay
    case console(ConsoleQuestion)
    /// A receipt that a person names by its id alone.
    case reprintNamed(String)
    case prune
    /// Nothing waits for it.
    case nothing
}

/// A push on its way into the journal.
struct PushArrival {
    var connection: ConnectionID
    var hub: String
    var push: ReceivedPush
    /// The body as the journal keeps it; empty for a push that is not to be kept.
    var body = ""
    /// What and where, if the receipt that it brings cannot be set.
    var badReceipt: String?
}

struct JournalQueue {
    typealias Item = (request: JournalRequest, purpose: JournalPurpose)

    /// Requests of one transaction at most; further ones wait for the next.
    static let mostInBatch = 1000

    private var waiting: [Item] = []
    private var inFlight: [Item] = []
    /// Pushes that are asked to be taken and not answered.
    private(set) var takes = 0

    var isIdle: Bool { waiting.isEmpty && inFlight.isEmpty }

    mutating func add(_ request: JournalRequest, for purpose: JournalPurpose) {
        if case .take = request { takes += 1 }
        waiting.append((request, purpose))
    }

    /// - Returns: nil while a batch is under way or nothing waits.
    mutating func next() -> JournalBatch? {
        guard inFlight.isEmpty, !waiting.isEmpty else { return nil }
        inFlight = Array(waiting.prefix(Self.mostInBatch))
        waiting.removeFirst(inFlight.count)
        return JournalBatch(inFlight.map(\.request))
    }

    /// Takes the requests of the batch under way, in the order of its replies.
    mutating func answered() -> [Item] {
        defer { inFlight = [] }
        for case (.take, _) in inFlight { takes -= 1 }
        return inFlight
    }
}

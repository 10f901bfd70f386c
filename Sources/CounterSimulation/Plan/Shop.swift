// Whose counter it is: how its day goes, what its back end sends, what hardware it has.

import BoxFoundation
import HardwareInterface
import ReceiptPrinting

/// Whose counter it is. A seed chooses one where none is named.
package enum ShopKind: String, CaseIterable, Sendable {
    /// Two rushes a day, little between them, closed at night.
    case noodles
    /// A steady stream with a rush in which pushes come several a second.
    case supermarket
    /// A payment now and then.
    case quiet
    /// Refunds, notices, receipts of their own, bodies of every dialect, in no order.
    case mixed
}

/// What a seed settles before the first moment.
package struct Shop: Sendable {
    package var kind: ShopKind
    package var dials: Bool
    /// One or two hubs; a box that dials has one.
    package var hubs: Int
    package var link: PrinterLinkSettings
    package var printer: PrinterTraits
    /// Seconds.
    package var heartbeat: Int
    /// `voice.rush`.
    package var rush: Int
    package var speakerPeriod: Interval
    package var commitTime: Interval
    package var hasQuietHours: Bool
    /// The journal keeps far less than a real one, so that it is pruned within the run.
    package var keepsFew: Bool
    /// Hours of the day at the start.
    package var firstHour: Int

    /// The printer as it is made.
    package struct PrinterTraits: Sendable {
        /// Bytes that it holds unprinted.
        package var buffer: Int
        package var bytesPerSecond: Int
        package var answersStatus: Bool
        package var confirmsJobs: Bool
        package var tellsChanges: Bool
    }

    package init(seed: UInt64, kind: ShopKind?) {
        var random = SeededRandom(seed: seed ^ 0x7368_6F70)
        let any = ShopKind.allCases[Int.random(in: 0..<ShopKind.allCases.count, using: &random)]
        self.kind = kind ?? any
        dials = Bool.random(using: &random)
        hubs = Int.random(in: 1...2, using: &random)
        if dials { hubs = 1 }
        let hasPrinter = Int.random(in: 0..<8, using: &random) > 0
        let isAsked = Bool.random(using: &random)
        let confirmation: PrinterLinkSettings.Confirmation =
            switch Int.random(in: 0..<4, using: &random) {
            case 0: .processID
            case 1 where isAsked: .statusAfterDrain
            default: .none
            }
        let pace = [960, 1500, 5000, 9600][Int.random(in: 0..<4, using: &random)]
        let buffer = [256, 1024, 4096, 16_384][Int.random(in: 0..<4, using: &random)]
        link = PrinterLinkSettings(
            carrier: !hasPrinter ? .none : Bool.random(using: &random) ? .bluetooth : .tcp, pace: pace,
            buffer: buffer, confirmation: confirmation, statusQueries: isAsked)
        printer = PrinterTraits(
            buffer: buffer, bytesPerSecond: pace + Int.random(in: 0...2000, using: &random), answersStatus: isAsked,
            confirmsJobs: confirmation == .processID, tellsChanges: isAsked && Bool.random(using: &random))
        heartbeat = [10, 30, 30, 60, 120][Int.random(in: 0..<5, using: &random)]
        rush = [1, 3, 6, 6, 6][Int.random(in: 0..<5, using: &random)]
        speakerPeriod = .milliseconds([20, 50, 100, 100][Int.random(in: 0..<4, using: &random)])
        commitTime = .milliseconds([0, 2, 8, 40][Int.random(in: 0..<4, using: &random)])
        keepsFew = Int.random(in: 0..<4, using: &random) == 0
        hasQuietHours = Int.random(in: 0..<4, using: &random) == 0
        firstHour = self.kind == .quiet ? 8 : Int.random(in: 10...12, using: &random)
    }

    /// Pushes an hour at this hour of the day (0 to 23).
    package func pushes(anHourAt hour: Int) -> Int {
        switch kind {
        case .noodles:
            switch hour {
            case 11...12: 70
            case 17...19: 50
            case 9, 10, 13, 14, 20, 21: 12
            case 15, 16: 5
            default: 0
            }
        case .supermarket:
            switch hour {
            case 17...18: 240
            case 8...21: 60
            default: 1
            }
        case .quiet: (8...20).contains(hour) ? 3 : 0
        case .mixed: (7...22).contains(hour) ? 25 : 2
        }
    }
}

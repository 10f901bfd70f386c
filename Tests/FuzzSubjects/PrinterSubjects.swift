// A printer that answers anything, at any time.

import BoxFoundation
import HardwareInterface
import ReceiptPrinting

enum PrinterSubjects {
    private static let start = Moment(nanoseconds: 5_000_000_000_000)

    /// The input is a script: the first byte takes what the printer can confirm, each further one is an event of the device,
    /// a timer, or the beginning of an answer. A job ends once, and bytes are asked for only where there is one.
    static func link(_ bytes: [UInt8]) {
        var script = bytes[...]
        let kind = script.popFirst() ?? 0
        var world = PrinterScript(kind: kind, at: start)
        while let step = script.popFirst(), world.steps < 4096 { world.take(step, &script) }
    }
}

private struct PrinterScript {
    var spool: PrintSpool
    var now: Moment
    var steps = 0
    /// What the device makes of a write: so many bytes of it, or a failure over 240.
    private var mood: UInt8 = 255
    private var added: Int64 = 0
    private var ended: Set<PrintJobID> = []
    /// What only the journal and the receipts' maker can answer, and they take their time.
    private var wanted: [PrintSpoolOutput] = []
    /// Asked for and not yet done, first come, first served.
    private var outputs: [PrintSpoolOutput] = []

    init(kind: UInt8, at now: Moment) {
        let all = PrinterLinkSettings.Confirmation.allCases
        let settings = PrinterLinkSettings(
            carrier: .tcp, pace: 9600, buffer: 256, confirmation: all[Int(kind) % all.count],
            statusQueries: kind & 0x80 == 0)
        spool = PrintSpool(settings, random: SeededRandom(seed: UInt64(kind)))
        self.now = now
        mood = kind
        note(spool.start(at: now))
    }

    mutating func take(_ step: UInt8, _ script: inout ArraySlice<UInt8>) {
        steps += 1
        now = now + .milliseconds(Int(step))
        switch step % 16 {
        case 0: add()
        case 1: note(spool.handle(.connected, at: now))
        case 2: note(spool.handle(.room, at: now))
        case 3: note(spool.handle(.lost(step > 127 ? .timedOut : .lost), at: now))
        case 4: mood = script.popFirst() ?? 0
        case 5...8:
            let count = min(script.count, Int(step / 16) + 1)
            let answer = Array(script.prefix(count))
            script.removeFirst(count)
            note(spool.handle(.received(answer), at: now))
        case 9, 10, 11: fire(PrinterTimer.allCases[Int(step / 16) % PrinterTimer.allCases.count], late: step > 127)
        default: serve()
        }
    }

    private mutating func add() {
        guard added < 32 else { return }
        added += 1
        note(spool.add(PrintJob(PrintJobID(added), copies: 1 + Int(added % 3)), at: now))
    }

    private mutating func fire(_ timer: PrinterTimer, late: Bool) {
        if late { now = now + .seconds(30) }
        note(spool.fired(timer, at: now))
    }

    private mutating func serve() {
        let wanted = wanted
        self.wanted = []
        for output in wanted {
            switch output {
            case .load(let job, _) where mood == 7: note(spool.cannotProvide(job, cause: "no template", at: now))
            case .load(let job, _):
                note(spool.provide(job, PrinterData(Array(repeating: 0x41, count: 600)), at: now))
            case .begin(let job): note(spool.begun(job, at: now))
            default: break
            }
        }
    }

    private mutating func note(_ more: [PrintSpoolOutput]) {
        let isUnderWay = !outputs.isEmpty
        outputs += more
        guard !isUnderWay else { return }
        var next = 0
        while next < outputs.count {
            perform(outputs[next])
            next += 1
            precondition(next < 10_000, "the spool never rests")
        }
        outputs = []
        precondition(spool.queued <= 32, "more jobs than were given")
    }

    private mutating func perform(_ output: PrintSpoolOutput) {
        switch output {
        case .load, .begin: wanted.append(output)
        case .ended(let job, _, _): precondition(ended.insert(job).inserted, "a job ends twice")
        case .call(.write(let bytes)):
            precondition(!bytes.isEmpty && bytes.count <= 256, "a write that does not fit the printer's buffer")
            if mood > 240 {
                outputs += spool.writeFailed(.lost, at: now)
            } else {
                outputs += spool.wrote(min(bytes.count, Int(mood)), at: now)
            }
        case .call(.askUnsent): outputs += spool.unsent(Int(mood % 4), at: now)
        default: break
        }
    }
}

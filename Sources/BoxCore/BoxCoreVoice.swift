// What is spoken: payments in their order, and what the box has to say of itself.

import BoxFoundation
import HardwareInterface
import PaymentJournal
import PushProtocol
import ReceiptPrinting
import ServiceConsole
import VoiceAnnouncing

extension BoxCore {
    /// Lets the announcer take something and does what it asks for.
    mutating func voice(_ event: (inout Announcer, Moment) -> [AnnouncerOutput]) {
        wish(event(&announcer, now).map { .voice($0) })
    }

    mutating func perform(_ output: AnnouncerOutput) {
        switch output {
        case .begin(let ids): beginVoice(ids)
        case .speaking(_, let words):
            effects.append(.news(.phraseBegan(words: words)))
        case .ended(let ids, let end): ended(ids, end)
        // Somebody wanted it to end: no fault of the voice.
        case .takenBack(_, let wasBegun): if wasBegun { effects.append(.news(.phraseEnded(.failed))) }
        case .timer(let timer, let moment): effects.append(.timer(.voice(timer), at: moment))
        case .log(let entry): log(entry)
        case .speak(let words, let language): speak(words, language: language)
        case .stopSpeech: stopSpeech()
        case .stopped: voiceIsStopped = true
        default: if let call = SpeakerCall(output) { effects.append(.speaker(call)) }
        }
    }

    /// That a phrase begins is on disk before its first sample.
    private mutating func beginVoice(_ ids: [AnnouncementID]) {
        let sequences = ids.compactMap { ledger[PushNumber($0.number)]?.sequence }
        guard !sequences.isEmpty else {
            voice { voice, now in voice.begun(ids, at: now) }
            return
        }
        for (i, sequence) in sequences.enumerated() {
            journal.add(.begin(sequence, .voice), for: i + 1 < sequences.count ? .nothing : .voiceBegan(ids))
        }
    }

    private mutating func ended(_ ids: [AnnouncementID], _ end: VoiceEnd) {
        effects.append(.news(.phraseEnded(end)))
        switch end {
        // A box that is to have no speaker is not at fault: the doctor says so, and nothing else.
        case .failed: set(fault: .voice, !setup.voice.hasNoSpeaker)
        case .announced, .merged: set(fault: .voice, false)
        case .silent, .expired: break
        }
        for id in ids where id.number > 0 { ended(PushNumber(id.number), .voice(end)) }
    }

    // MARK: - Free text

    private mutating func speak(_ words: String, language: String) {
        speeches += 1
        effects.append(.speak(SpeechID(speeches), words: words, language: language))
    }

    /// What the text that is stopped has said already may still come: it is told by its number.
    private mutating func stopSpeech() {
        speeches += 1
        effects.append(.stopSpeech)
    }

    mutating func heard(_ id: SpeechID, _ event: SpeechEvent) {
        guard id.number == speeches else { return }
        voice { voice, now in voice.speech(event, at: now) }
    }

    // MARK: - Quiet hours

    /// Each minute, where there are quiet hours. A box whose clock nobody has set, and which no hub has told the time,
    /// does not know them: too soft at noon is worse than too loud at night.
    mutating func tellTimeOfDay() {
        guard setup.voice.quiet != nil else { return }
        let time = CivilTime(clock.time, offset: clock.offset)
        announcer.setTimeOfDay(minute: systemClock.isSynchronised || isTimeTold ? time.hour * 60 + time.minute : nil)
        effects.append(.timer(.minute, at: now + .seconds(60 - time.second)))
    }

    // MARK: - Pushes

    /// A push was taken: its halves start, neither waiting for the other.
    ///
    /// - Parameter isRepeated: it may have been heard and printed before: it is marked.
    mutating func begin(_ number: PushNumber, _ payment: Payment, age: PushAge, isRepeated: Bool) {
        let dated = DatedPayment(payment: payment, received: clock.time)
        remember(number, dated)
        if payment.kind != .notice { lastPayment = dated }
        if payment.speech == .silent {
            endedAtOnce(number, .voice(.silent))
        } else {
            let phrase = WaitingPhrase(
                number: number, payment: payment, hub: ledger[number]?.name.hub ?? "", age: age,
                isRepeated: isRepeated)
            if waiting.isEmpty { announce(phrase) } else { waiting.append(phrase) }
        }
        if payment.copies == 0 {
            endedAtOnce(number, .paper(.none, cause: nil))
        } else {
            lastReceipt = dated
            let job = PrintJob(PrintJobID(number.number), copies: payment.copies, isMarked: isRepeated)
            paper { spool, now in spool.add(job, at: now) }
        }
    }

    /// A half that was asked for nothing; the journal noted it when it took the push.
    private mutating func endedAtOnce(_ number: PushNumber, _ end: JournalEnd) {
        switch end {
        case .voice(let voice): _ = ledger.end(number, voice: voice)
        case .paper(let paper, _): _ = ledger.end(number, paper: paper)
        }
        let half: JournalHalf = if case .voice = end { .voice } else { .paper }
        ledger.kept(number, half)
        tell(number)
    }

    /// Keeps a payment for its receipt while it is soon to be printed.
    private mutating func remember(_ number: PushNumber, _ payment: DatedPayment) {
        guard payment.payment.copies > 0 else { return }
        // Without the journal there is no other place for it.
        guard payments.count < Self.mostCachedPayments || ledger[number]?.sequence == nil else { return }
        payments[number] = payment
    }

    mutating func forgetPayment(_ number: PushNumber) { payments[number] = nil }

    mutating func announce(_ phrase: WaitingPhrase) {
        let announcement = Announcement(
            id: AnnouncementID(phrase.number.number), .payment(phrase.payment), isRepeated: phrase.isRepeated,
            expires: phrase.age.expires)
        voice { voice, now in voice.announce(announcement, at: now) }
    }

    // MARK: - The box speaks of itself

    @discardableResult
    mutating func sayOwn(_ content: Announcement.Content, isRepeated: Bool = false) -> AnnouncementID {
        ownPhrases -= 1
        let id = AnnouncementID(ownPhrases)
        let announcement = Announcement(id: id, content, isRepeated: isRepeated)
        voice { voice, now in voice.announce(announcement, at: now) }
        return id
    }

    /// The last payment again, marked.
    mutating func repeatLast(_ reply: JournalReply) {
        if var payment = payment(in: reply) ?? lastPayment?.payment {
            // Whoever asks for it wants to hear it, also where the push did not.
            if payment.speech == .silent { payment.speech = .amount }
            sayOwn(.payment(payment), isRepeated: true)
        } else {
            log(.info, "voice", "there is no payment to say again")
        }
    }

    /// Network, printer, today's count and sum.
    mutating func sayStatus(_ totals: [DayTotal]) {
        var prompts: [VoicePrompt] = []
        if !lostHubs.isEmpty {
            prompts.append(.networkDown)
        } else if !roster.entries.isEmpty {
            prompts.append(.networkUp)
        }
        switch spool.report.state {
        case .ready, .paperLow, .unknown: prompts.append(.printerUp)
        case .paperOut: prompts.append(.paperOut)
        case .coverOpen: prompts.append(.coverOpen)
        case .error: prompts.append(.printerTrouble)
        case .none: prompts.append(.printerNone)
        case .connecting, .asleep, .unreachable: prompts.append(.printerDown)
        }
        let payments = totals.filter { $0.kind == .payment }
        let sums = payments.compactMap { total in total.currency.map { Money(minor: total.minor, currency: $0) } }
        statusPhrase = sayOwn(.status(prompts, count: payments.reduce(0) { $0 + $1.count }, sums: sums))
    }

    mutating func sayTest() { sayOwn(.prompts([.test])) }

    mutating func say(text: String) { sayOwn(.text(text)) }

    mutating func sayTest(_ amount: Money, _ request: SayRequest) {
        let payment = Payment(
            kind: request.kind, amount: amount, channel: request.channel, copies: 0, language: request.language)
        sayOwn(.payment(payment))
    }
}

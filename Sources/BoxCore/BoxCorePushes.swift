// Connections, pushes and their outcomes.

import BoxFoundation
import HardwareInterface
import PaymentJournal
import PushProtocol

extension BoxCore {
    /// Push connections at once; a further one is told `too-many`.
    static let mostConnections = 16
    /// Of them, those whose hub has not proved itself. For a further one the oldest makes room: a hub needs milliseconds
    /// for its proof, and whoever only connects cannot shut the hubs out.
    package static let mostUnproven = 8
    /// Outcomes asked of the journal at a time for a hub that was just welcomed.
    static let untoldPage = 500

    mutating func handle(_ event: NetworkEvent) {
        switch event {
        case .opened(let connection, let peer): opened(connection, peer)
        case .received(let connection, let bytes):
            drive(connection) { session, now in session.received(bytes, at: now) }
        case .distrusted(let connection, let fault): distrusted(connection, fault)
        case .closed(let connection, let reason): closed(connection, reason)
        }
    }

    mutating func handle(_ event: FleetEvent) {
        switch event {
        case .opened(let connection, let peer): opened(connection, peer)
        case .message(let connection, let message):
            drive(connection) { session, now in session.received(message, at: now) }
        case .denied(let connection, let words):
            drive(connection) { session, now in session.denied(words, at: now) }
        case .closed(let connection, let reason): closed(connection, reason)
        }
    }

    // MARK: - Connections

    private mutating func opened(_ connection: ConnectionID, _ peer: NetworkPeer) {
        var session = newSession(peer)
        session.isTraced = isTracing
        log(.info, "push", "\(peer.address) connected")
        guard sessions.count < Self.mostConnections, !isStopping else {
            let reason: ByeReason = isStopping ? .closing : .tooMany
            log(.warning, "push", "\(peer.address) was refused: \(reason.rawValue)")
            let outputs = session.start(status, at: now) + session.close(reason, at: now)
            wish(outputs.map { .push(connection, $0) })
            return
        }
        makeRoom()
        sessions[connection] = session
        certificateFault = nil
        dial { dialler, _ in dialler.opened(connection) }
        drive(connection) { [status] session, now in session.start(status, at: now) }
    }

    private mutating func newSession(_ peer: NetworkPeer) -> PushSession {
        guard let fleet = setup.fleet else {
            let nonce = Nonce.random(using: &random)
            return PushSession(BoxSession(setup.identity, channel: peer.channel, nonce: nonce))
        }
        return PushSession(FleetSession(fleet, firstNumber: UInt32.random(in: 0...UInt32.max, using: &random)))
    }

    private mutating func makeRoom() {
        let unproven = sessions.filter { $0.value.hub == nil }.keys.sorted()
        guard unproven.count >= Self.mostUnproven, let oldest = unproven.first else { return }
        drive(oldest) { session, now in session.close(.tooMany, at: now) }
    }

    /// Lets a session take something and does what it asks for.
    mutating func drive(
        _ connection: ConnectionID, _ event: (inout PushSession, Moment) -> [BoxSessionOutput]
    ) {
        guard let place = sessions.index(forKey: connection) else { return }
        wish(event(&sessions.values[place], now).map { .push(connection, $0) })
    }

    mutating func perform(_ output: BoxSessionOutput, of connection: ConnectionID) {
        switch output {
        case .send(let bytes): effects.append(.send(bytes, connection))
        case .close: effects.append(.close(connection))
        case .ended(let end): ended(connection, end)
        case .timer(let timer, let moment): effects.append(.timer(.session(connection, timer), at: moment))
        case .log(let entry): log(entry)
        case .trace(let line):
            effects.append(.news(.frame(connection, line)))
            keep(frame: line)
            log(.debug, "push", line)
        case .welcomed(let hello): welcomed(hello, connection)
        case .push(let push): arrived(push, on: connection)
        case .command(let command): handle(command, on: connection)
        case .told(let tokens): told(tokens, on: connection)
        case .fleet(let call): effects.append(.fleet(call, connection))
        case .fleetFault(let fault): (fleetFault, isReportDue) = (fault, true)
        }
    }

    private mutating func welcomed(_ hello: HubHello, _ connection: ConnectionID) {
        log(.notice, "push", "hub \(hello.hub.isEmpty ? "without a name" : hello.hub) is connected")
        if let older = roster.welcomed(hello.hub, connection) {
            drive(older) { session, now in session.close(.replaced, at: now) }
        }
        let wasAway = lostHubs.remove(hello.hub) != nil
        dial { dialler, now in dialler.welcomed(connection, spread: hello.spread, at: now) }
        if wasAway { voice { voice, now in voice.outageEnded(at: now) } }
        showHub()
        takeTime(from: hello)
        learnAge(from: hello)
        sendStatus(to: connection)
        tellUntold(of: hello.hub, on: connection)
        journal.add(.unsettled(after: nil, most: Self.untoldPage), for: .untold(connection))
    }

    /// The session has said its last word; the connection's end follows.
    private mutating func ended(_ connection: ConnectionID, _ end: SessionEnd) {
        let hub = roster.entries.first { $0.connection == connection }?.hub
        switch end {
        case .byUs(let reason):
            log(
                reason == .closing ? .info : .warning, "push", "\(hub ?? "a connection") was closed: \(reason.rawValue)"
            )
            if reason.isProtocolError { protocolErrors += 1 }
            if reason == .silent || reason.isProtocolError, let hub { lost(hub: hub) }
        case .byPeer(let reason):
            log(.info, "push", "\(hub ?? "a peer") says goodbye: \(reason)")
            if !ByeReason.isOrderly(reason), let hub { lost(hub: hub) }
            endedWell.insert(connection)
        }
        for timer in SessionTimer.allCases { effects.append(.timer(.session(connection, timer), at: nil)) }
        forget(connection)
        dial { dialler, now in dialler.ended(connection, at: now) }
    }

    private mutating func closed(_ connection: ConnectionID, _ reason: String) {
        if endedWell.remove(connection) == nil, sessions[connection] != nil {
            log(.info, "push", "\(connection) is gone: \(reason)")
            if let hub = roster.entries.first(where: { $0.connection == connection })?.hub { lost(hub: hub) }
            for timer in SessionTimer.allCases { effects.append(.timer(.session(connection, timer), at: nil)) }
        }
        forget(connection)
        if certificateFault?.connection != connection { certificateFault = nil }
        dial { dialler, now in dialler.closed(connection, reason, at: now) }
    }

    /// A hub that was there is silent, gone without a word, or gone because something was wrong.
    private mutating func lost(hub: String) {
        guard !isStopping else { return }
        lostHubs.insert(hub)
        showHub()
    }

    private mutating func forget(_ connection: ConnectionID) {
        roster.closed(connection)
        sessions[connection] = nil
        untoldCursor[connection] = nil
        ledger.closed(connection)
    }

    // MARK: - Pushes come

    private mutating func arrived(_ push: ReceivedPush, on connection: ConnectionID) {
        guard let hub = sessions[connection]?.hubName else { return }
        var arrival = PushArrival(connection: connection, hub: hub, push: push)
        if let known = ledger.unjournaled(PushName(hub: hub, id: push.id)) {
            isDuplicate(arrival, ofUnkept: known)
            return
        }
        switch push.payment {
        case .failure(let refusal): journal.add(.find(hub: hub, id: push.id), for: .judge(arrival, refusal))
        case .success(let payment):
            guard !ledger.isFull(coming: journal.takes), !isStopping, !putOff.contains(connection) else {
                putOff.insert(connection)
                answer(arrival, .later)
                return
            }
            arrival.body = push.body.text
            arrival.badReceipt = receiptFault(of: payment)
            journal.add(.take(record(of: arrival, payment), body: arrival.body), for: .take(arrival))
        }
    }

    private func record(of arrival: PushArrival, _ payment: Payment) -> PushRecord {
        let age = arrival.push.age.record
        return PushRecord(
            hub: arrival.hub, id: arrival.push.id, arrived: age.hubTime, ttl: age.ttl, age: age.onArrival,
            received: clock.time, day: CivilTime(clock.time, offset: clock.offset).date, kind: payment.kind,
            channel: payment.channel, amount: payment.amount, wantsVoice: payment.speech != .silent,
            copies: payment.copies, reason: arrival.badReceipt.map { _ in PushResult.badReceipt },
            detail: arrival.badReceipt)
    }

    /// What and where, if the receipt that a push brings cannot be set: it is tried before the push is accepted.
    private func receiptFault(of payment: Payment) -> String? {
        guard payment.receipt != .slip, payment.copies > 0 else { return nil }
        let time = CivilTime(clock.time, offset: clock.offset)
        return setup.receipts.receipt(for: payment, shop: nil, mark: .none, at: time).fault?.message
    }

    /// The journal has looked at a push that cannot be taken.
    mutating func judged(_ arrival: PushArrival, _ refusal: PushRefusal, known: JournalEntry?) {
        guard let known else {
            log(.warning, "push", "push \(arrival.push.id) is refused: \(refusal.rawValue)")
            answer(arrival, .refused(refusal, detail: nil))
            return
        }
        isDuplicate(arrival, of: known, otherBody: true)
    }

    mutating func taken(_ arrival: PushArrival, as sequence: JournalSequence?) {
        guard case .success(let payment) = arrival.push.payment else { return }
        let number = ledger.add(
            PushName(hub: arrival.hub, id: arrival.push.id), sequence: sequence,
            bodyBytes: arrival.body.utf8.count, badReceipt: arrival.badReceipt)
        answer(arrival, sequence == nil ? .unkept : .accepted(badReceipt: arrival.badReceipt))
        let isRepeated = mayBeForgotten(arrival)
        if isRepeated, let sequence {
            if payment.speech != .silent { journal.add(.begin(sequence, .voice), for: .nothing) }
            if payment.copies > 0 { journal.add(.begin(sequence, .paper), for: .nothing) }
        }
        begin(number, payment, age: arrival.push.age, isRepeated: isRepeated)
    }

    /// A hub sends again after a new connection: what is younger than this comes for the first time.
    private static let leastReturn = Interval.seconds(2)

    /// Its hub took it before a damaged journal was set aside, and long enough ago to come again: what the old journal said of
    /// it is lost.
    private func mayBeForgotten(_ arrival: PushArrival) -> Bool {
        guard let journalLostAt, arrival.push.age.record.onArrival >= Self.leastReturn else { return false }
        return arrival.push.age.age(at: now) >= now - journalLostAt
    }

    mutating func isDuplicate(_ arrival: PushArrival, of entry: JournalEntry, otherBody: Bool) {
        if otherBody {
            otherBodies += 1
            note(otherBody: arrival.push.id)
            log(.warning, "push", "push \(arrival.push.id) came again with another body: the first one stands")
        }
        var known = PushDuplicate(voice: entry.voice.end, paper: entry.paper.end, isOtherBody: otherBody)
        if entry.hasEnded {
            let number = ledger.add(entry)
            ledger.telling(number, on: arrival.connection)
            known.token = OutcomeToken(number.number)
        }
        answer(arrival, .duplicate(known))
    }

    /// A push that is in this run's memory alone.
    mutating func isDuplicate(_ arrival: PushArrival, ofUnkept push: HeldPush) {
        let token = push.hasEnded ? OutcomeToken(push.number.number) : nil
        answer(
            arrival,
            .duplicate(PushDuplicate(voice: push.voice, paper: push.paper, journalFailed: true, token: token)))
    }

    private mutating func answer(_ arrival: PushArrival, _ answer: PushAnswer) {
        drive(arrival.connection) { session, now in session.answer(arrival.push.sequence, answer, at: now) }
    }

    // MARK: - Outcomes

    /// A half has ended: note it in the journal, then tell.
    mutating func ended(_ number: PushNumber, _ end: JournalEnd) {
        let isNew =
            switch end {
            case .voice(let voice): ledger.end(number, voice: voice)
            case .paper(let paper, _): ledger.end(number, paper: paper)
            }
        guard isNew, let push = ledger[number] else { return }
        let half: JournalHalf = if case .voice = end { .voice } else { .paper }
        if let sequence = push.sequence {
            journal.add(.end(sequence, end), for: .ended(number, half))
        } else {
            ledger.kept(number, half)
            tell(number)
        }
    }

    /// Tells an outcome if it may be told, where its hub is there to hear it.
    mutating func tell(_ number: PushNumber) {
        guard let push = ledger[number], push.canBeTold, push.toldOn == nil, !push.isTold else { return }
        forgetPayment(number)
        guard let connection = roster.connection(of: push.name.hub) else {
            ledger.release(number)
            return
        }
        // What finds no room stays in the ledger until some of what is on its way was told.
        guard let outcome = push.outcome, sessions[connection]?.outcomeRoom ?? 0 > 0 else { return }
        ledger.telling(number, on: connection)
        drive(connection) { session, now in session.outcome(outcome, at: now) }
    }

    private mutating func tellUntold(of hub: String, on connection: ConnectionID) {
        let room = sessions[connection]?.outcomeRoom ?? 0
        for push in ledger.untold(of: hub).prefix(room) { tell(push.number) }
    }

    /// A page of what the journal holds untold.
    mutating func untold(_ entries: [JournalEntry], for connection: ConnectionID) {
        guard let hub = sessions[connection]?.hub?.hub else { return }
        for entry in entries where entry.hasEnded && !entry.isTold && entry.record.hub == hub {
            tell(ledger.add(entry))
        }
        untoldCursor[connection] = entries.count == Self.untoldPage ? entries.last?.sequence : nil
        askForMoreUntold(connection)
    }

    private mutating func askForMoreUntold(_ connection: ConnectionID) {
        guard let cursor = untoldCursor[connection], let session = sessions[connection],
            session.outcomeRoom >= Self.untoldPage
        else { return }
        untoldCursor[connection] = nil
        journal.add(.unsettled(after: cursor, most: Self.untoldPage), for: .untold(connection))
    }

    private mutating func told(_ tokens: [OutcomeToken], on connection: ConnectionID) {
        let sequences = tokens.compactMap { ledger.told(PushNumber($0.number)) }
        if !sequences.isEmpty { journal.add(.told(sequences), for: .told) }
        if let hub = sessions[connection]?.hub?.hub { tellUntold(of: hub, on: connection) }
        askForMoreUntold(connection)
    }
}

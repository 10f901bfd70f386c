// Pushes, outcomes and commands of a fleet's box: what comes, what is answered, what is published until it is kept.

import BoxFoundation
import HardwareInterface

extension FleetSession {
    // MARK: - Pushes

    mutating func take(push message: FleetMessage, _ reply: String, at now: Moment) {
        guard let hub, let place = FleetPlace(acknowledge: reply) else { return }
        pull?.isLostAt = now + Self.pullLimit
        pull?.left -= 1
        defer { if let left = pull?.left, left <= 0 { startPull(at: now) } }
        // Given again while it is in hand: the newer name acknowledges it as well.
        if let known = held.first(where: { $0.value.place == place.place })?.key {
            held[known]?.reply = reply
            return
        }
        guard held.count < Self.mostHeld else { return }
        let sequence = nextPush()
        held[sequence] = HeldPush(reply: reply, place: place.place)
        if keepDue == nil { keepDue = now + Self.keepEvery }
        guard let id = message.header("Counterbox-Id"), ReceivedPush.isGoodID(id) else {
            refuseWithoutID(sequence, place, at: now)
            return
        }
        let push = ReceivedPush(
            sequence: sequence, id: id, body: Self.body(message), time: hub.clock(at: now),
            sent: Self.time(message.header("Counterbox-Sent")) ?? place.stored,
            ttl: message.header("Counterbox-Ttl").flatMap { JSON.number($0).seconds }, at: now)
        held[sequence]?.push = push
        offer(sequence, push, at: now)
    }

    /// null where it is none, or too long: then the push is refused.
    private static func body(_ message: FleetMessage) -> JSON {
        guard message.payload.count <= mostBody else { return .null }
        return (try? JSONReader.read(message.payload)) ?? .null
    }

    private static func time(_ header: String?) -> WallTime? { header.flatMap { JSON.number($0).wallTime } }

    /// Behind one that was put off, a push waits too.
    private mutating func offer(_ sequence: UInt32, _ push: ReceivedPush, at now: Moment) {
        if laterDue == nil { outputs.append(.push(push)) } else { held[sequence]?.state = .later }
    }

    mutating func offerLater(at now: Moment) {
        guard laterDue != nil else { return }
        laterDue = nil
        for sequence in held.keys.sorted() where held[sequence]?.state == .later {
            held[sequence]?.state = .offered
            if let push = held[sequence]?.push { outputs.append(.push(push)) }
        }
    }

    // MARK: - Answers

    mutating func give(_ answer: PushAnswer, to sequence: UInt32, at now: Moment) {
        guard let push = held[sequence]?.push else { return }
        switch answer {
        case .accepted: acknowledge(sequence, "+ACK")
        case .duplicate(let known): giveKnown(known, to: sequence, id: push.id, at: now)
        case .refused(let refusal, let detail):
            held[sequence]?.state = .refused
            let result = PushResult(id: push.id, state: .refused, reason: refusal.rawValue, detail: detail)
            publish(result.json, named: "\(push.id).refused", .refusal(sequence), at: now)
        case .later:
            held[sequence]?.state = .later
            laterDue = now + Self.laterRest
        case .unkept: held[sequence]?.state = .unkept
        }
    }

    /// The journal has it: it is acknowledged and nothing else happens; an outcome that it had is published again, and the
    /// stream takes it once. What only the memory has stays on the server until its outcome is kept.
    private mutating func giveKnown(_ known: PushDuplicate, to sequence: UInt32, id: String, at now: Moment) {
        if known.journalFailed { held[sequence]?.state = .unkept }
        if let voice = known.voice, let paper = known.paper {
            let outcome = PushOutcome(
                id: id, voice: voice, paper: paper, journalFailed: known.journalFailed, token: known.token)
            tellAgain(outcome, pushes: known.journalFailed ? [sequence] : [], at: now)
        }
        if !known.journalFailed { acknowledge(sequence, "+ACK") }
    }

    /// Where it is not on its way, nor kept already.
    private mutating func tellAgain(_ outcome: PushOutcome, pushes: [UInt32], at now: Moment) {
        for (number, request) in requests {
            guard case .outcome(outcome.token, let id, let others) = request.purpose, outcome.token != nil else {
                continue
            }
            requests[number]?.purpose = .outcome(outcome.token, id, pushes: others + pushes)
            return
        }
        guard toldIDs.contains(ExactText(outcome.id)) else { return tell(outcome, pushes: pushes, at: now) }
        if let token = outcome.token { outputs.append(.told([token])) }
        for sequence in pushes { acknowledge(sequence, "+ACK") }
    }

    private mutating func refuseWithoutID(_ sequence: UInt32, _ place: FleetPlace, at now: Moment) {
        held[sequence]?.state = .refused
        var result = PushResult(id: nil, push: 0, state: .refused, reason: PushRefusal.badID.rawValue).json.object
        result?.set("push", .integer(place.place))
        publish(.object(result ?? JSONObject()), named: "#\(place.place).refused", .refusal(sequence), at: now)
    }

    /// The last word on a push: `+ACK`, or `+TERM` for one that was refused.
    mutating func acknowledge(_ sequence: UInt32, _ word: String) {
        guard let push = held.removeValue(forKey: sequence) else { return }
        call(.publish(FleetMessage(push.reply, payload: Array(word.utf8))))
        if held.isEmpty { keepDue = nil }
    }

    /// Asks that what is in hand is not given again yet.
    mutating func keepHeld(at now: Moment) {
        for sequence in held.keys.sorted() {
            guard let reply = held[sequence]?.reply else { continue }
            call(.publish(FleetMessage(reply, payload: Array("+WPI".utf8))))
        }
        keepDue = held.isEmpty ? nil : now + Self.keepEvery
    }

    // MARK: - Outcomes and status

    mutating func tell(_ outcome: PushOutcome, pushes: [UInt32], at now: Moment) {
        let purpose = Purpose.outcome(outcome.token, ExactText(outcome.id), pushes: pushes)
        publish(PushResult(outcome).json, named: "\(outcome.id).done", purpose, at: now)
    }

    private mutating func publish(_ result: JSON, named name: String, _ purpose: Purpose, at now: Moment) {
        let header = FleetMessage.Header("Nats-Msg-Id", "\(subjects.box).\(name)")
        ask(purpose, FleetMessage(subjects.result, headers: [header], payload: result.bytes), at: now)
    }

    /// Until the stream has it; a newer one takes the place of an older.
    mutating func publish(_ status: JSONObject, at now: Moment) {
        self.status = status
        for (number, request) in requests {
            if case .status = request.purpose { requests[number] = nil }
        }
        ask(.status, FleetMessage(subjects.status, payload: JSON.object(status).bytes), at: now)
    }

    mutating func publishAgain(at now: Moment) {
        for number in requests.keys.sorted() {
            guard isOpen, let request = requests[number], now >= request.due else { continue }
            switch request.purpose {
            case .look, .creation, .time:
                // The opening has its own limit.
                if hub != nil { fail(.silent) }
            case .status, .outcome, .refusal: call(.publish(request.message))
            }
            requests[number]?.due = now + Self.publishAgain
        }
    }

    // MARK: - The server answers

    mutating func answered(_ number: UInt32, _ message: FleetMessage, at now: Moment) {
        if let status = message.status, message.subject == subjects.inbox("pull", number) {
            pullSays(number, status, at: now)
            return
        }
        guard message.subject == subjects.inbox("answer", number), let request = requests[number] else { return }
        let answer = FleetAnswer(message)
        switch request.purpose {
        case .status, .outcome, .refusal:
            guard case .kept(let place) = answer else { return notKept(number, request, at: now) }
            requests[number] = nil
            kept(request, place, at: now)
        case .time(let place, let keptAt):
            requests[number] = nil
            readBack(message, answer, place, keptAt, at: now)
        case .look:
            requests[number] = nil
            looked(answer, at: now)
        case .creation:
            requests[number] = nil
            created(answer, at: now)
        }
    }

    private mutating func kept(_ request: Request, _ place: Int64, at now: Moment) {
        switch request.purpose {
        case .status: if time == nil { askTime(place, keptAt: now, at: now) }
        case .outcome(let token, let id, let pushes):
            toldIDs.append(id)
            if toldIDs.count > Self.mostTold { toldIDs.removeFirst() }
            if let token { outputs.append(.told([token])) }
            for sequence in pushes { acknowledge(sequence, "+ACK") }
            report(nil)
        case .refusal(let sequence):
            acknowledge(sequence, "+TERM")
            report(nil)
        case .time, .look, .creation: break
        }
    }

    /// It is published again in a while.
    private mutating func notKept(_ number: UInt32, _ request: Request, at now: Moment) {
        requests[number]?.due = now + Self.laterRest
        if case .status = request.purpose {
            if hub == nil { fail(.noStatusStream(FleetSubjects.statusStream)) }
        } else {
            report(.noResultStream(FleetSubjects.resultStream))
        }
    }

    // MARK: - The server's clock

    private mutating func askTime(_ place: Int64, keptAt: Moment, at now: Moment) {
        ask(.time(place: place, keptAt: keptAt), FleetMessage(subjects.keptStatus), at: now)
    }

    private mutating func readBack(
        _ message: FleetMessage, _ answer: FleetAnswer, _ place: Int64, _ keptAt: Moment, at now: Moment
    ) {
        guard time == nil else { return }
        let readPlace = message.header("Nats-Sequence").flatMap { Int64($0) }
        guard let stamp = message.header("Nats-Time-Stamp").flatMap({ WallTime(stamp: $0) }), let readPlace else {
            return fail(.noStatusStream(FleetSubjects.statusStream))
        }
        // Another server of the cluster may not have it yet.
        guard readPlace >= place else { return askTime(place, keptAt: keptAt, at: now) }
        time = (stamp, keptAt)
        welcome(at: now)
        if hub != nil, pull == nil { startPull(at: now) }
    }

    // MARK: - Commands

    mutating func take(command message: FleetMessage, at now: Moment) {
        guard hub != nil else { return }
        let object = (try? JSONReader.read(message.payload))?.object ?? JSONObject()
        do throws(CommandFault) {
            let command = try ReceivedCommand(object)
            guard commands.count < BoxSession.mostCommands else { throw .busy }
            commands.append(Command(id: ExactText(command.id), reply: message.reply))
            outputs.append(.command(command))
        } catch {
            let id = error == .badID ? nil : object["id"]?.string
            send(CommandReply(id: id, isOK: false, reason: error.rawValue), to: message.reply)
        }
    }

    mutating func send(_ reply: CommandReply, to subject: String?) {
        guard let subject else { return }
        call(.publish(FleetMessage(subject, payload: reply.json.bytes)))
    }
}

// What is said: each payment at most once unmarked, at least once unless the page excuses it, in order, and nothing else.

import BoxFoundation
import HardwareSimulated
import PushProtocol

/// One phrase from its first sample to its last, or to where it was cut.
struct PhraseAttempt {
    /// What the box says that it says.
    var words: String
    var began: Moment
    /// The pushes it is for; empty for the box's own.
    var members: [PushAccount] = []
    var meaning: HeardWords
    var isCounted = false
}

extension Witness {
    /// How much the box may misjudge a push's age: what the network held it up.
    private static let ageSlack = Interval.seconds(40)

    // MARK: - What is heard

    func hear() {
        guard let run = world.run else { return }
        ear.hear(run.speaker.takeHeard())
        count()
    }

    func phraseBegan(_ words: String) {
        finishAttempt(wasWhole: false)
        let meaning = HeardWords(words)
        var attempt = PhraseAttempt(words: words, began: now, meaning: meaning)
        attempt.members = members(of: meaning, words)
        for member in attempt.members {
            member.attempts += 1
            let isKept = member.voiceBegunInRun != nil || member.isUnkept || member.isRotten
            if !isKept, !meaning.isMarked { fail("\(member.name) is said before its beginning is on disk") }
        }
        self.attempt = attempt
    }

    func phraseEnded(_ end: VoiceEnd) {
        switch end {
        case .announced, .merged:
            lastPhraseWasHeard = true
            guard attempt != nil else { return fail("a phrase ended that never began") }
            finishAttempt(wasWhole: true)
        case .failed:
            lastPhraseWasHeard = false
            finishAttempt(wasWhole: false)
        case .silent, .expired: break
        }
    }

    /// The power is gone, or the box has stopped.
    func voiceStopped() { finishAttempt(wasWhole: false) }

    /// Counts a phrase as soon as something of it was heard.
    private func count() {
        guard var attempt, !attempt.isCounted, !ear.sounds.isEmpty else { return }
        attempt.isCounted = true
        self.attempt = attempt
        for member in attempt.members { counted(member, attempt) }
        if !attempt.meaning.isMarked { checkOrder(attempt) }
    }

    /// Payments are said in the order received, and refunds in theirs: a payment that joins a merged phrase may overtake a
    /// refund, never a payment.
    private func checkOrder(_ attempt: PhraseAttempt) {
        let orders = attempt.members.filter { !$0.isForgotten(inRun: world.runs) }.compactMap(\.order)
        guard let first = orders.min(), let last = orders.max() else { return }
        let isRefund = attempt.members[0].intent.isRefund
        if first <= (isRefund ? lastRefundOrder : lastPaymentOrder) { fail("\(attempt.words) is said out of order") }
        if isRefund { lastRefundOrder = last } else { lastPaymentOrder = last }
    }

    private func finishAttempt(wasWhole: Bool) {
        if let run = world.run { ear.hear(run.speaker.takeHeard()) }
        ear.end()
        count()
        let text = ear.text
        let sounds = ear.take()
        guard let attempt else {
            let allowed: [HeardSound] = [.clip(ear.chimePlace), .brokenClip(ear.chimePlace), .scrap]
            if sounds.contains(where: { !allowed.contains($0) }) {
                fail("heard while nothing is said: \(text)")
            }
            return
        }
        self.attempt = nil
        let isWhole = check(sounds, text, attempt)
        if wasWhole, !isWhole { fail("said to be announced, but heard was only: \(text) of \(attempt.words)") }
        if isWhole { for member in attempt.members { heardWhole(member, attempt) } }
        world.tell("ear", "\(isWhole ? "heard" : "heard in part"): \(text)")
    }

    /// - Returns: whether all of it was heard.
    private func check(_ sounds: [HeardSound], _ text: String, _ attempt: PhraseAttempt) -> Bool {
        guard attempt.meaning.content != .other else { return !sounds.isEmpty }
        let words = attempt.words.filter { $0 != "，" && $0 != "。" }
        var heard = text
        var isBroken = false
        for (i, sound) in sounds.enumerated() {
            switch sound {
            case .clip: break
            case .brokenClip, .scrap:
                isBroken = true
                if i + 1 < sounds.count { fail("a clip was broken off inside: \(text) of \(attempt.words)") }
            case .speech: fail("strange sound in \(attempt.words): \(text)")
            }
        }
        if isBroken { heard.removeLast() }
        if !words.hasPrefix(heard) { fail("heard \(text) where \(attempt.words) was to be said") }
        return !isBroken && words == heard
    }

    // MARK: - Whose phrase it is

    private func members(of meaning: HeardWords, _ words: String) -> [PushAccount] {
        switch meaning.content {
        case .other: return []
        case .payment(let channel, let isRefund, let fen):
            guard let account = byFen[fen], account.intent.voice == .amount || meaning.isMarked else {
                if fen != SimulatedWorld.consoleFen { fail("a payment is said that nobody sent: \(words)") }
                return []
            }
            if account.intent.channel != channel || account.intent.isRefund != isRefund {
                fail("\(account.name) is said wrongly: \(words)")
            }
            return [account]
        case .merged(let count, let fen):
            if let found = merged(count, fen, isMarked: meaning.isMarked) { return found }
            if !world.hadDiskTrouble { fail("nobody sent what is merged: \(words)") }
            return []
        }
    }

    /// The pushes of the last beginning, else any that follow each other and fit.
    private func merged(_ count: Int, _ fen: Int64, isMarked: Bool) -> [PushAccount]? {
        func fits(_ accounts: some Sequence<PushAccount>) -> Bool {
            accounts.reduce(0) { $0 + ($1.intent.fen ?? 0) } == fen
        }
        if lastBegun.count == count, fits(lastBegun) { return lastBegun }
        let pool = accounts.filter {
            $0.order != nil && $0.voiceEnd == nil && $0.intent.voice == .amount && !$0.intent.isRefund
        }.sorted { ($0.order ?? 0) < ($1.order ?? 0) }
        guard pool.count >= count else { return nil }
        for start in 0...(pool.count - count) where fits(pool[start..<start + count]) {
            return Array(pool[start..<start + count])
        }
        return nil
    }

    // MARK: - How often

    private func counted(_ account: PushAccount, _ attempt: PhraseAttempt) {
        let isMarked = attempt.meaning.isMarked
        let wasBegun =
            account.attempts > 1 || account.mayHaveBegun || account.mayBeMarked
            || (account.voiceBegunInRun ?? .max) < world.runs
        let hasEnded = account.voiceEnd != nil
        defer { account.lastPhraseRun = world.runs }
        if isMarked {
            account.markedPhrases += 1
            guard !account.isRotten, hasEnded || !wasBegun else { return }
            // Whoever pressed the button wanted it.
            guard repeatOrders > 0 else {
                return fail(
                    "\(account.name) is said again, marked, " + (hasEnded ? "after its end" : "for the first time"))
            }
            repeatOrders -= 1
            return
        }
        account.unmarkedPhrases += 1
        if account.mayComeAnew(inRun: world.runs) { return }
        if hasEnded { fail("\(account.name) is said after its end") }
        if account.unmarkedPhrases > 1 { fail("\(account.name) is said twice unmarked") }
        if let begun = account.voiceBegunInRun, begun < world.runs {
            fail("\(account.name) may have been heard before, and is said unmarked")
        }
        let age = world.trueTime - account.sent
        let ttl = Interval.seconds(account.intent.ttl ?? 600)
        if age > ttl + Self.ageSlack { fail("\(account.name) is \(age.seconds) s old and shouted all the same") }
    }

    private func heardWhole(_ account: PushAccount, _ attempt: PhraseAttempt) {
        if attempt.members.count > 1 { account.wholeMerges += 1 } else { account.wholePhrases += 1 }
    }

    // MARK: - What the hub is told of it

    func judgeVoice(_ account: PushAccount, _ result: PushResult) {
        switch result.voice {
        case .announced:
            guard account.intent.voice == .amount else { return }
            if account.wholePhrases == 0 { fail("\(account.name) is told as announced and was not heard") }
        case .merged:
            if account.wholeMerges == 0, !world.hadDiskTrouble {
                fail("\(account.name) is told as merged and was not heard")
            }
        case .silent:
            if account.intent.voice != .silent { fail("\(account.name) is told as silent and should be heard") }
        case .expired:
            let age = world.trueTime - account.sent
            let isOld = age > .seconds(account.intent.ttl ?? 600)
            // After a restart nobody may have said how long the box was off.
            if !isOld, account.takenInRun == world.runs {
                fail("\(account.name) is told as expired, \(age.seconds) s old")
            }
        case .failed:
            if !world.hadFault(of: [.speaker, .disk], from: account.sentAt) {
                fail("the voice of \(account.name) failed for no reason")
            }
        case nil: fail("\(account.name) ended without a word about its voice")
        }
        if account.intent.voice == .silent, result.voice != .silent { fail("\(account.name) asked for silence") }
    }
}

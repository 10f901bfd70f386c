// Announcements to words and samples, in the language that each asks for.

import BoxFoundation

struct AnnouncementWords {
    struct Spoken {
        var words: String
        /// At the pack's rate.
        var samples: [Int16]
    }

    private let voices: [Voice]

    init(voices: [Voice]) { self.voices = voices }

    var own: Voice? { voices.first }

    static func isSilent(_ payment: Payment) -> Bool {
        switch payment.speech {
        case .silent: true
        case .amount: payment.amount == nil
        case .text(let text): text.isEmpty
        case .clips(let ids, let text): ids.isEmpty && text.isEmpty
        }
    }

    func language(of entry: AnnouncementQueue.Entry) -> String { voice(for: entry)?.language ?? "en" }

    func rate(of entry: AnnouncementQueue.Entry) -> Int { voice(for: entry)?.pack?.rate ?? 24_000 }

    /// - Returns: nil without clips for all of its words.
    func phrase(of entry: AnnouncementQueue.Entry) -> Spoken? {
        guard let voice = voice(for: entry) else { return nil }
        if let first = entry.members.first, let phrase = clips(first, voice) {
            return Spoken(words: phrase.words, samples: voice.samples(of: phrase))
        }
        let words = words(of: entry)
        return voice.phrase(words).map { Spoken(words: words, samples: voice.samples(of: $0)) }
    }

    func words(of entry: AnnouncementQueue.Entry) -> String {
        guard let wording = voice(for: entry)?.wording, let first = entry.members.first else { return "" }
        if entry.members.count > 1, let key = entry.key {
            let sum = Money(minor: entry.sum, currency: key.currency)
            return wording.merged(entry.members.count, sum, isRepeated: first.isRepeated)
        }
        return words(of: first, wording)
    }

    private func words(of announcement: Announcement, _ wording: Wording) -> String {
        switch announcement.content {
        case .payment(let payment): words(of: payment, isRepeated: announcement.isRepeated, wording)
        case .prompts(let prompts): wording.joined(prompts.map { wording.prompt($0) })
        case .status(let prompts, let count, let sums):
            wording.joined(prompts.map { wording.prompt($0) } + [wording.today(count, sums)])
        case .volume(let volume): wording.volume(volume)
        case .text(let text): wording.text(text)
        }
    }

    private func words(of payment: Payment, isRepeated: Bool, _ wording: Wording) -> String {
        switch payment.speech {
        case .text(let text), .clips(_, otherwise: let text):
            return isRepeated ? wording.marked(wording.text(text)) : wording.text(text)
        case .amount, .silent:
            guard let amount = payment.amount else { return "" }
            return wording.payment(
                amount, channel: payment.channel, isRefund: payment.kind == .refund, isRepeated: isRepeated)
        }
    }

    /// Clips that a push names by their ids.
    private func clips(_ announcement: Announcement, _ voice: Voice) -> SpokenPhrase? {
        guard case .payment(let payment) = announcement.content, case .clips(let ids, _) = payment.speech,
            var phrase = voice.phrase(ids: ids)
        else { return nil }
        if announcement.isRepeated, let mark = voice.phrase(voice.wording.marked("")) {
            phrase.pieces =
                mark.pieces + [.pause(voice.wording.phrasebook.pauses.first?.milliseconds ?? 0)] + phrase.pieces
            phrase.words = voice.wording.marked(phrase.words)
        }
        return phrase
    }

    /// The language that a push asks for, where its voice is there; else the box's own.
    private func voice(for entry: AnnouncementQueue.Entry) -> Voice? {
        guard case .payment(let payment)? = entry.members.first?.content, let language = payment.language else {
            return own
        }
        return voices.first { $0.language == language } ?? own
    }
}

// What waits to be said: first in, first out. In a rush payments join one phrase at the end instead of a queue that
// never ends; after an outage what comes in the first seconds is told as one.

import BoxFoundation

struct AnnouncementQueue {
    /// Payments of one phrase must agree in these.
    struct MergeKey: Equatable {
        var currency: Currency
        var language: String?
        var isRepeated: Bool
    }

    struct Entry {
        /// Several only where payments were merged.
        var members: [Announcement]
        /// nil: never merged.
        var key: MergeKey?
        var isOpenForMore = false
        /// Not before this.
        var notBefore: Moment?
        /// Times that it was begun and cut off by the device.
        var interruptions = 0
        /// Times that the device failed before anything was heard.
        var fruitless = 0

        var ids: [AnnouncementID] { members.map(\.id) }

        var sum: Int64 { members.reduce(0) { $0 + Self.minor($1) } }

        static func minor(_ announcement: Announcement) -> Int64 {
            if case .payment(let payment) = announcement.content { payment.amount?.minor ?? 0 } else { 0 }
        }
    }

    private(set) var entries: [Entry] = []
    /// Payments that come before this are gathered.
    private(set) var gathersUntil: Moment?

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.reduce(0) { $0 + $1.members.count } }

    /// - Parameter ahead: phrases being spoken now (0 or 1).
    mutating func add(_ announcement: Announcement, rush: Int, ahead: Int, at now: Moment) {
        let entry = Entry(members: [announcement], key: Self.key(announcement))
        guard !announcement.isUrgent else { return addUrgent(entry) }
        guard let key = entry.key else { return entries.append(entry) }
        if let gathersUntil, now < gathersUntil { return merge(entry, key, notBefore: gathersUntil) }
        let own = ahead + entries.count { !$0.isOpenForMore && !($0.members.first?.isUrgent ?? false) }
        // Until a merged phrase begins every further payment is part of it: one with a place behind it would be overtaken
        // by the next.
        let isGathering = entries.contains { $0.isOpenForMore && $0.key == key }
        if own >= rush || isGathering { merge(entry, key, notBefore: nil) } else { entries.append(entry) }
    }

    /// The next to be said; nil where there is none yet.
    mutating func take(at now: Moment) -> Entry? {
        guard let first = entries.first, first.notBefore ?? now <= now else { return nil }
        var entry = entries.removeFirst()
        entry.isOpenForMore = false
        return entry
    }

    /// When the first entry may be said, where it must wait.
    var waitsUntil: Moment? { entries.first?.notBefore }

    mutating func gather(until moment: Moment) { gathersUntil = moment }

    /// Takes one out; nil where it does not wait.
    mutating func remove(_ id: AnnouncementID) -> Announcement? {
        for i in entries.indices {
            guard let place = entries[i].members.firstIndex(where: { $0.id == id }) else { continue }
            let announcement = entries[i].members.remove(at: place)
            if entries[i].members.isEmpty { entries.remove(at: i) }
            return announcement
        }
        return nil
    }

    private mutating func addUrgent(_ entry: Entry) {
        let place = entries.firstIndex { !($0.members.first?.isUrgent ?? false) } ?? entries.count
        entries.insert(entry, at: place)
    }

    /// A sum that could not be read any more begins another phrase.
    private mutating func merge(_ entry: Entry, _ key: MergeKey, notBefore: Moment?) {
        let most = Money.mostMajor * key.currency.minorPerMajor
        if let place = entries.lastIndex(where: { $0.isOpenForMore && $0.key == key }),
            entries[place].sum <= most - entry.sum
        {
            entries[place].members += entry.members
        } else {
            var entry = entry
            entry.isOpenForMore = true
            entry.notBefore = notBefore
            entries.append(entry)
        }
    }

    /// What the box says for itself (a payment again, a test) is no payment of its own and never part of a sum.
    private static func key(_ announcement: Announcement) -> MergeKey? {
        guard case .payment(let payment) = announcement.content, payment.kind == .payment, payment.speech == .amount,
            let amount = payment.amount, !announcement.isUrgent, announcement.id.isJournaled
        else { return nil }
        return MergeKey(currency: amount.currency, language: payment.language, isRepeated: announcement.isRepeated)
    }
}

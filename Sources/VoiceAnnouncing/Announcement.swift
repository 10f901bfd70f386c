// What the announcer is asked to say and what it answers.

import BoxFoundation
import HardwareInterface

/// Which announcement: a push's journal sequence (above 0), or one of the box's own (below 0), never used twice.
package struct AnnouncementID: Hashable, Comparable, Sendable {
    package let number: Int64

    package init(_ number: Int64) { self.number = number }

    /// It has a place in the journal, so its beginning is written down before it is heard.
    package var isJournaled: Bool { number > 0 }

    package static func < (a: AnnouncementID, b: AnnouncementID) -> Bool { a.number < b.number }
}

/// What is to be said, with the id under which it ends.
package struct Announcement: Equatable, Sendable {
    /// What it is about.
    package enum Content: Equatable, Sendable {
        case payment(Payment)
        /// Said one after another as one phrase.
        case prompts([VoicePrompt])
        /// Status: prompts, then today's payments and their sum in each currency.
        case status([VoicePrompt], count: Int, sums: [Money])
        case volume(Int)
        /// Free text: digits in it are read by the language's own grammar.
        case text(String)
    }

    package var id: AnnouncementID
    package var content: Content
    /// It may have been heard before: it is said with its mark (补报).
    package var isRepeated: Bool
    /// Not said if its turn comes later than this; nil: never too old.
    package var expires: Moment?
    /// Goes before all that waits, and cuts nothing.
    package var isUrgent: Bool
    /// For this one alone; nil is the box's own.
    package var volume: Volume?

    package init(
        id: AnnouncementID, _ content: Content, isRepeated: Bool = false, expires: Moment? = nil,
        isUrgent: Bool = false, volume: Volume? = nil
    ) {
        self.id = id
        self.content = content
        self.isRepeated = isRepeated
        self.expires = expires
        self.isUrgent = isUrgent
        self.volume = volume
    }
}

/// What the announcer waits for. One timer of each; a late, early or second event of one does no harm.
package enum AnnouncerTimer: String, CaseIterable, Hashable, Sendable {
    /// The device makes no room, plays nothing, or the whole phrase takes too long.
    case watch
    /// The last frame of a phrase should have been heard.
    case tail
    /// Another attempt to open or recover the device.
    case reopen
    /// Silence to be written, or the device to be closed, behind the last phrase.
    case hold
    /// Payments are gathered after an outage until then.
    case gather
    /// Free text has not become speech.
    case speech
}

/// What the announcer wants done.
package enum AnnouncerOutput: Equatable, Sendable {
    /// About to be spoken: to be journaled, then `begun` with the same ids. Only journaled ids.
    case begin([AnnouncementID])
    /// Now being spoken; for the trace and the desk.
    case speaking([AnnouncementID], words: String)
    /// Each exactly once for every announcement that was not taken back.
    case ended([AnnouncementID], VoiceEnd)
    /// `cut` took it back; `speaking` had been told of it or not.
    case takenBack(AnnouncementID, wasBegun: Bool)

    // For the sound device; each answer comes back by `handle` before anything else is handed in.
    case open(rate: Int)
    case write(ArraySlice<Int16>)
    case awaitRoom
    case askUnplayed
    case recover
    case drop
    case close

    /// Words for the speech program; samples come back by `speech`. At most one at a time.
    case speak(words: String, language: String)
    /// End it now; nothing more of it may be handed in.
    case stopSpeech

    /// nil cancels.
    case timer(AnnouncerTimer, at: Moment?)
    case log(LogEntry)
    /// After `finish`: nothing is being said any more.
    case stopped
}

/// How the queue and the device are treated (`docs/voice.md`).
package struct AnnouncerSettings: Equatable, Sendable {
    package static let volumeAtFirst = Volume(60)

    /// Phrases that keep their own place; what comes on top is merged.
    package var rush: Int
    /// Silence before the first sound of a device that was closed.
    package var leadIn: Interval
    /// How long the device stays open behind the last phrase.
    package var hold: Interval
    /// `speaker.alsa` is `none`.
    package var hasNoSpeaker: Bool
    /// nil: the box is as loud at night as by day.
    package var quiet: QuietHours?
    /// Said instead of a text that nothing can say; nil: the log alone tells.
    package var chime: Chime?
    /// The chime also goes before every phrase that is a push's.
    package var chimesFirst: Bool

    package init(
        rush: Int = 6, leadIn: Interval = .milliseconds(200), hold: Interval = .milliseconds(2000),
        hasNoSpeaker: Bool = false, quiet: QuietHours? = nil, chime: Chime? = nil, chimesFirst: Bool = false
    ) {
        self.rush = max(1, rush)
        self.leadIn = leadIn
        self.hold = hold
        self.hasNoSpeaker = hasNoSpeaker
        self.quiet = quiet
        self.chime = chime
        self.chimesFirst = chimesFirst
    }

    var playback: Playback.Settings {
        Playback.Settings(leadIn: leadIn, hold: hold, isAbsent: hasNoSpeaker)
    }
}

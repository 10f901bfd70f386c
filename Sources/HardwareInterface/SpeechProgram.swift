// A program that makes speech of free text, as its caller needs it: words in, samples out while they are made. Turning
// digits into words, deadlines and playing are VoiceAnnouncing's.

/// Which text of this run; never used twice. What an ended text still says is told by it from what the next one says.
package struct SpeechID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }
}

/// What the speech program says of one text: samples in any split, then `ended` or `failed`, once.
package enum SpeechEvent: Equatable, Sendable {
    /// 16-bit mono, never empty; the rate is the same for all samples of a text.
    case samples([Int16], rate: Int)
    case ended
    /// It is not installed, or it failed; the text is for the log.
    case failed(String)
}

/// No call blocks. At most one text at a time.
package protocol SpeechProgram: AnyObject {
    /// Begins to make speech; a text under way is stopped. Its events come as `DeviceEvent.speech` with this id.
    ///
    /// - Parameter language: a tag such as `zh-CN`.
    func speak(_ id: SpeechID, _ words: String, language: String)

    /// Ends the text under way. No further event of it is posted; those in the queue stay there.
    func stop()
}

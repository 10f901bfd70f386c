// Between one phrase's playback, the device and the announcer.

import BoxFoundation
import HardwareInterface

/// What the device answered to the last output, or what it says by itself.
package enum PlaybackEvent: Equatable, Sendable {
    case opened(SpeakerFormat)
    /// Frames taken from the front of the last `write`.
    case wrote(Int)
    case room
    case unplayed(Int)
    case recovered
    case failed(SpeakerError)
}

enum PlaybackOutput {
    case open(rate: Int)
    case write(ArraySlice<Int16>)
    case awaitRoom, askUnplayed, recover, drop, close
    case timer(AnnouncerTimer, at: Moment?)
    case log(LogEntry)
    /// `play` may be called. After `prepare`.
    case ready(SpeakerFormat)
    /// No device within the limit. After `prepare`.
    case unavailable
    /// The last frame was heard.
    case finished
    /// The device failed; `hasBegun` where some of the phrase may have been heard.
    case interrupted(hasBegun: Bool)
}

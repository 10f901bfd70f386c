// The announcer's wishes for the sound device, done on one and answered with what came of it.

import HardwareInterface

/// What is done on the sound device.
package enum SpeakerCall: Equatable, Sendable {
    case open(rate: Int)
    case write(ArraySlice<Int16>)
    case awaitRoom, askUnplayed, recover, drop, close

    /// - Returns: nil where the output is not for the device.
    package init?(_ output: AnnouncerOutput) {
        switch output {
        case .open(let rate): self = .open(rate: rate)
        case .write(let samples): self = .write(samples)
        case .awaitRoom: self = .awaitRoom
        case .askUnplayed: self = .askUnplayed
        case .recover: self = .recover
        case .drop: self = .drop
        case .close: self = .close
        default: return nil
        }
    }

    /// - Returns: the answer, to be handed in before anything else; nil for calls that have none.
    package func perform(on speaker: any SpeakerDevice) -> PlaybackEvent? {
        do throws(SpeakerError) {
            switch self {
            case .open(let rate): return .opened(try speaker.open(rate: rate))
            case .write(let samples): return .wrote(try speaker.write(samples))
            case .askUnplayed: return .unplayed(try speaker.unplayed())
            case .recover:
                try speaker.recover()
                return .recovered
            case .awaitRoom: speaker.awaitRoom()
            case .drop: speaker.drop()
            case .close: speaker.close()
            }
            return nil
        } catch {
            return .failed(error)
        }
    }
}

extension PlaybackEvent {
    /// What the device says by itself.
    package init(_ event: SpeakerEvent) {
        switch event {
        case .room: self = .room
        case .failed(let error): self = .failed(error)
        }
    }
}

// A sound device as its caller needs it: 16-bit mono samples in, frames still to be heard out. Phrases, queueing, gain
// and recovery are VoiceAnnouncing's.

import BoxFoundation

/// What can go wrong with a sound device, by what helps.
package enum SpeakerError: Error, Equatable, Sendable {
    /// There is no such device, or it was unplugged: open again later.
    case gone
    /// Somebody else has it (EBUSY): open again later.
    case busy
    /// It ran dry (EPIPE): `recover`, then write the same samples again.
    case underrun
    /// The system slept (ESTRPIPE): `recover`, which may answer `suspended` again for a while.
    case suspended
    /// Anything else: close and open again. The text names the call and the errno.
    case failed(String)
}

/// What happens on the sound device.
package enum SpeakerEvent: Equatable, Sendable {
    /// There is room to write, asked for with `awaitRoom`.
    case room
    /// The device reported a fault outside a call.
    case failed(SpeakerError)
}

/// What a device agreed to at `open`.
package struct SpeakerFormat: Equatable, Sendable {
    /// Frames a second.
    package var rate: Int
    /// Frames of one period: the device takes and plays whole ones.
    package var period: Int
    /// Frames of the whole buffer.
    package var buffer: Int

    package init(rate: Int, period: Int, buffer: Int) {
        self.rate = rate
        self.period = period
        self.buffer = buffer
    }
}

/// No call blocks.
package protocol SpeakerDevice: AnyObject {
    /// Opens for mono signed 16-bit frames at `rate` a second. Playing starts when a period has been written.
    func open(rate: Int) throws(SpeakerError) -> SpeakerFormat

    /// Takes frames from the front of `samples`.
    ///
    /// - Returns: how many were taken; 0 means there is no room now.
    func write(_ samples: ArraySlice<Int16>) throws(SpeakerError) -> Int

    /// Frames written and not heard yet.
    func unplayed() throws(SpeakerError) -> Int

    /// Posts one `.speaker(.room)` when a period can be written.
    func awaitRoom()

    /// After `underrun` or `suspended`: makes the device take frames again. What it had queued is lost.
    func recover() throws(SpeakerError)

    /// Stops at once and forgets what was queued; the device stays open.
    func drop()

    func close()
}

// An open ALSA playback device: what it agreed to, and its calls with errors by what helps.

import CALSA
import Glibc
import HardwareInterface

/// Owns a `snd_pcm_t` and closes it when it goes, which stops it at once.
struct PCM: ~Copyable {
    /// Periods are taken about as long as an amplifier's user hears as "at once", and long enough to keep the box's
    /// other work from running a Pi's device dry: the buffer covers the loop's longest stall (20 ms) ten times.
    private static let period: UInt32 = 25_000
    private static let buffer: UInt32 = 200_000

    let handle: OpaquePointer
    private(set) var format = SpeakerFormat(rate: 0, period: 0, buffer: 0)
    /// 1, or what the device takes at the least; every channel gets the same.
    private(set) var channels: UInt32 = 1

    /// - Parameter name: as ALSA reads it: `default`, `plughw:1,0`, `file:/tmp/box.wav,wav`.
    static func open(_ name: String, rate: Int) throws(SpeakerError) -> PCM {
        var handle: OpaquePointer?
        let error = snd_pcm_open(&handle, name, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
        guard error >= 0, let handle else { throw SpeakerError(opening: name, error) }
        var pcm = PCM(adopting: handle)
        try pcm.setHardware(rate: rate)
        try pcm.setSoftware()
        return pcm
    }

    private init(adopting handle: OpaquePointer) { self.handle = handle }

    deinit { snd_pcm_close(handle) }

    // MARK: - Agreeing

    private mutating func setHardware(rate wanted: Int) throws(SpeakerError) {
        var allocated: OpaquePointer?
        try check("snd_pcm_hw_params_malloc", snd_pcm_hw_params_malloc(&allocated))
        guard let parameters = allocated else { throw .failed("snd_pcm_hw_params_malloc") }
        defer { snd_pcm_hw_params_free(parameters) }
        try check("snd_pcm_hw_params_any", snd_pcm_hw_params_any(handle, parameters))
        // Refused by devices without a converter, which then take their nearest rate.
        _ = snd_pcm_hw_params_set_rate_resample(handle, parameters, 1)
        let access = snd_pcm_hw_params_set_access(handle, parameters, SND_PCM_ACCESS_RW_INTERLEAVED)
        try check("snd_pcm_hw_params_set_access", access)
        let format = snd_pcm_hw_params_set_format(handle, parameters, SND_PCM_FORMAT_S16_LE)
        try check("no 16-bit samples (a plughw: device converts): snd_pcm_hw_params_set_format", format)
        try setChannels(parameters)
        var rate = UInt32(clamping: wanted)
        var period = Self.period
        var buffer = Self.buffer
        let rateSet = snd_pcm_hw_params_set_rate_near(handle, parameters, &rate, nil)
        try check("snd_pcm_hw_params_set_rate_near", rateSet)
        // Both are wishes: a device of other sizes is asked for them afterwards.
        _ = snd_pcm_hw_params_set_period_time_near(handle, parameters, &period, nil)
        _ = snd_pcm_hw_params_set_buffer_time_near(handle, parameters, &buffer, nil)
        try check("snd_pcm_hw_params", snd_pcm_hw_params(handle, parameters))
        try readSizes(rate: Int(rate), parameters)
    }

    private mutating func setChannels(_ parameters: OpaquePointer) throws(SpeakerError) {
        channels = 1
        if snd_pcm_hw_params_set_channels(handle, parameters, 1) >= 0 { return }
        channels = 2
        try check("snd_pcm_hw_params_set_channels", snd_pcm_hw_params_set_channels_near(handle, parameters, &channels))
    }

    private mutating func readSizes(rate: Int, _ parameters: OpaquePointer) throws(SpeakerError) {
        var period: snd_pcm_uframes_t = 0
        var buffer: snd_pcm_uframes_t = 0
        let periodSize = snd_pcm_hw_params_get_period_size(parameters, &period, nil)
        try check("snd_pcm_hw_params_get_period_size", periodSize)
        try check("snd_pcm_hw_params_get_buffer_size", snd_pcm_hw_params_get_buffer_size(parameters, &buffer))
        guard period > 0, buffer >= period else { throw .failed("period of \(period) in a buffer of \(buffer)") }
        format = SpeakerFormat(rate: rate, period: Int(period), buffer: Int(buffer))
    }

    /// Starts at one period, so that a clip shorter than the buffer is heard; by default it would wait for a full one.
    private func setSoftware() throws(SpeakerError) {
        var allocated: OpaquePointer?
        try check("snd_pcm_sw_params_malloc", snd_pcm_sw_params_malloc(&allocated))
        guard let parameters = allocated else { throw .failed("snd_pcm_sw_params_malloc") }
        defer { snd_pcm_sw_params_free(parameters) }
        let period = snd_pcm_uframes_t(format.period)
        try check("snd_pcm_sw_params_current", snd_pcm_sw_params_current(handle, parameters))
        let start = snd_pcm_sw_params_set_start_threshold(handle, parameters, period)
        try check("snd_pcm_sw_params_set_start_threshold", start)
        let room = snd_pcm_sw_params_set_avail_min(handle, parameters, period)
        try check("snd_pcm_sw_params_set_avail_min", room)
        try check("snd_pcm_sw_params", snd_pcm_sw_params(handle, parameters))
    }

    // MARK: - Calls

    /// - Returns: frames taken; 0 where there is no room.
    func write(_ samples: UnsafePointer<Int16>, frames: Int) throws(SpeakerError) -> Int {
        let taken = snd_pcm_writei(handle, samples, snd_pcm_uframes_t(frames))
        if taken == -Int(EAGAIN) { return 0 }
        guard taken >= 0 else { throw SpeakerError("snd_pcm_writei", Int32(taken)) }
        return taken
    }

    /// Frames between the last one written and the one at the ear; 0 for a device that has run dry.
    func delay() throws(SpeakerError) -> Int {
        var delay: snd_pcm_sframes_t = 0
        let error = snd_pcm_delay(handle, &delay)
        if error == -EPIPE { return 0 }
        try check("snd_pcm_delay", error)
        return max(0, delay)
    }

    func hasRoom() -> Bool { snd_pcm_avail_update(handle) >= format.period }

    func recover() throws(SpeakerError) {
        if snd_pcm_state(handle) == SND_PCM_STATE_SUSPENDED {
            let error = snd_pcm_resume(handle)
            if error == -EAGAIN { throw .suspended }
            // A device that cannot go on where it was (ENOSYS) begins anew.
            if error >= 0 { return }
        }
        try check("snd_pcm_prepare", snd_pcm_prepare(handle))
    }

    func drop() throws(SpeakerError) {
        try check("snd_pcm_drop", snd_pcm_drop(handle))
        try check("snd_pcm_prepare", snd_pcm_prepare(handle))
    }

    /// The fault that the device is in, if any.
    func fault() -> SpeakerError? {
        switch snd_pcm_state(handle) {
        case SND_PCM_STATE_XRUN: .underrun
        case SND_PCM_STATE_SUSPENDED: .suspended
        case SND_PCM_STATE_DISCONNECTED: .gone
        default: nil
        }
    }

    // MARK: - Descriptors

    /// What is to be watched now; a plugin may change them at any time.
    func pollDescriptors() -> [pollfd] {
        let count = snd_pcm_poll_descriptors_count(handle)
        guard count > 0 else { return [] }
        var descriptors = [pollfd](repeating: pollfd(), count: Int(count))
        let filled = snd_pcm_poll_descriptors(handle, &descriptors, UInt32(count))
        return Array(descriptors.prefix(max(0, Int(filled))))
    }

    /// What the readiness of the descriptors means for the device: POLLOUT for room, POLLERR for a fault.
    func meaning(of descriptors: [pollfd]) -> Int16 {
        var descriptors = descriptors
        guard poll(&descriptors, nfds_t(descriptors.count), 0) > 0 else { return 0 }
        var events: UInt16 = 0
        let error = snd_pcm_poll_descriptors_revents(handle, &descriptors, UInt32(descriptors.count), &events)
        return error < 0 ? Int16(POLLERR) : Int16(bitPattern: events)
    }

    private func check(_ operation: String, _ result: Int32) throws(SpeakerError) {
        if result < 0 { throw SpeakerError(operation, result) }
    }
}

extension SpeakerError {
    /// - Parameter code: as ALSA returns it, a negative errno.
    fileprivate init(_ operation: String, _ code: Int32) {
        switch -code {
        case EPIPE: self = .underrun
        case ESTRPIPE: self = .suspended
        case ENODEV, ENXIO: self = .gone
        case EBUSY: self = .busy
        default: self = .failed("\(operation): \(String(cString: snd_strerror(code)))")
        }
    }

    /// A name that no configuration knows is a device that is not there.
    fileprivate init(opening name: String, _ code: Int32) {
        switch -code {
        case ENOENT, ENODEV, ENXIO: self = .gone
        case EBUSY, EAGAIN: self = .busy
        default: self.init("open \(name)", code)
        }
    }
}

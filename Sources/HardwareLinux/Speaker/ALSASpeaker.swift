// A sound device of this machine, by its ALSA name.

import BoxFoundation
import CALSA
import Glibc
import HardwareInterface

/// A sound device by ALSA, written without waiting.
package final class ALSASpeaker: SpeakerDevice {
    package let name: String

    private let loop: any DescriptorLoop
    private let log: any LogSink
    private var pcm: PCM?
    /// Descriptors on the loop while somebody awaits room.
    private var watched: [Int32] = []
    /// Frames of all channels, for a device that takes no mono.
    private var spread: [Int16] = []

    /// - Parameter name: as ALSA reads it: `default`, `plughw:1,0`, `file:/tmp/box.wav,wav`.
    package init(_ name: String, on loop: any DescriptorLoop, log: any LogSink) {
        self.name = name
        self.loop = loop
        self.log = log
    }

    deinit { unwatch() }

    /// Opens the device as a box would and closes it again; from any thread.
    package static func probe(_ name: String, rate: Int = 24_000) throws(SpeakerError) {
        calsa_silence()
        _ = try PCM.open(name, rate: rate)
    }

    package func open(rate: Int) throws(SpeakerError) -> SpeakerFormat {
        close()
        calsa_silence()
        defer { logComplaint() }
        let opened = try PCM.open(name, rate: rate)
        let format = opened.format
        pcm = consume opened
        return format
    }

    package func write(_ samples: ArraySlice<Int16>) throws(SpeakerError) -> Int {
        defer { logComplaint() }
        guard let channels = pcm?.channels else { throw .gone }
        guard !samples.isEmpty else { return 0 }
        if channels == 1 { return try write(samples, frames: samples.count) }
        spread.removeAll(keepingCapacity: true)
        for sample in samples { for _ in 0..<channels { spread.append(sample) } }
        return try write(spread[...], frames: samples.count)
    }

    package func unplayed() throws(SpeakerError) -> Int {
        defer { logComplaint() }
        return try pcm?.delay() ?? 0
    }

    package func recover() throws(SpeakerError) {
        defer { logComplaint() }
        guard pcm != nil else { throw .gone }
        try pcm?.recover()
    }

    package func drop() {
        defer { logComplaint() }
        do throws(SpeakerError) { try pcm?.drop() } catch {
            // The next write says the same to somebody who can act on it.
            log.log(LogEntry(.debug, "voice", "speaker \(name): drop: \(error)"))
        }
    }

    package func close() {
        unwatch()
        pcm = nil
    }

    private func write(_ samples: ArraySlice<Int16>, frames: Int) throws(SpeakerError) -> Int {
        var result = 0
        var failure: SpeakerError?
        samples.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            do throws(SpeakerError) { result = try pcm?.write(base, frames: frames) ?? 0 } catch { failure = error }
        }
        if let failure { throw failure }
        return result
    }

    // MARK: - Room

    package func awaitRoom() {
        guard pcm != nil else { return loop.post(.speaker(.failed(.gone))) }
        watch()
    }

    /// Anew each time: a plugin's descriptors may be others than at the last.
    private func watch() {
        unwatch()
        var interests: [(descriptor: Int32, interest: DescriptorInterest)] = []
        for entry in pcm?.pollDescriptors() ?? [] {
            let interest = DescriptorInterest(poll: entry.events)
            if let place = interests.firstIndex(where: { $0.descriptor == entry.fd }) {
                interests[place].interest.formUnion(interest)
            } else {
                interests.append((entry.fd, interest))
            }
        }
        for (descriptor, interest) in interests {
            loop.watch(descriptor, for: interest) { [unowned self] _ in look() }
            watched.append(descriptor)
        }
    }

    private func unwatch() {
        for descriptor in watched { loop.unwatch(descriptor) }
        watched = []
    }

    private func look() {
        defer { logComplaint() }
        let descriptors = pcm?.pollDescriptors() ?? []
        let meaning = pcm?.meaning(of: descriptors) ?? 0
        if let fault = pcm?.fault() {
            unwatch()
            loop.post(.speaker(.failed(fault)))
        } else if meaning & Int16(POLLOUT | POLLERR) != 0 || pcm?.hasRoom() == true {
            unwatch()
            loop.post(.speaker(.room))
        } else if descriptors.map(\.fd) != watched {
            watch()
        }
    }

    private func logComplaint() {
        let complaint = String(cString: calsa_take_complaint())
        if !complaint.isEmpty { log.log(LogEntry(.debug, "voice", "speaker \(name): \(complaint)")) }
    }
}

extension DescriptorInterest {
    fileprivate init(poll events: Int16) {
        self = []
        if events & Int16(POLLIN) != 0 { insert(.readable) }
        if events & Int16(POLLOUT) != 0 { insert(.writable) }
    }
}

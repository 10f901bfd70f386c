// Loudness as an ear counts it.

/// 0 (silent) to 100 (as the clips are). Cubic: half of the scale sounds about half as loud (-18 dB at 50).
package struct Volume: Hashable, Comparable, Sendable {
    package let percent: Int

    /// Taken into 0 to 100.
    package init(_ percent: Int) { self.percent = min(100, max(0, percent)) }

    package static let silent = Volume(0)
    package static let full = Volume(100)

    package static func < (a: Volume, b: Volume) -> Bool { a.percent < b.percent }

    /// The factor of a sample, in 1/32768.
    var gain: Int32 { Int32(percent * percent * percent * 32768 / 1_000_000) }
}

/// The gain on its way to the volume: a change while sound is heard takes a few milliseconds, so that it does not click.
struct GainRamp: Sendable {
    /// Frames over which a change spreads.
    static let frames = 240

    private var gain: Int32
    private var target: Int32
    private var step: Int32 = 0

    init(_ volume: Volume) {
        gain = volume.gain
        target = volume.gain
    }

    mutating func set(_ volume: Volume) {
        target = volume.gain
        let whole = target - gain
        step = whole / Int32(Self.frames)
        if step == 0 { step = whole.signum() }
    }

    /// At once: for when nothing is heard.
    mutating func jump() { gain = target }

    mutating func apply(to samples: ArraySlice<Int16>) -> [Int16] {
        if gain == target, gain == Volume.full.gain { return Array(samples) }
        return samples.map { sample in
            if gain != target { gain = step.magnitude < (target - gain).magnitude ? gain + step : target }
            return Int16((Int32(sample) * gain + 0x4000) >> 15)
        }
    }
}

// How loud speech is, for clips too short for gated loudness: the same figure as `speech_level` of build_pack.py.

import Glibc

enum SpeechLevel {
    /// Power is averaged over this many milliseconds.
    private static let window = 50
    /// Only windows within 12 dB of the loudest count.
    private static let range = 16.0

    /// K-weighted dB of the louder windows; nil for silence.
    static func decibels(_ samples: [Int16], rate: Int) -> Double? {
        let size = rate * window / 1000
        let padding: [Double] = Array(repeating: 0, count: size)
        let padded = padding + samples.map { Double($0) / 32768 } + padding
        let powers = averages(weighted(padded, rate: Double(rate)).map { $0 * $0 }, over: size)
        guard let loudest = powers.max(), loudest > 0 else { return nil }
        let loud = powers.filter { $0 > loudest / range }
        return -0.691 + 10 * log10(loud.reduce(0, +) / Double(loud.count))
    }

    /// The pre-filter of ITU-R BS.1770, its coefficients computed for the rate: a high shelf, then a high pass.
    private static func weighted(_ samples: [Double], rate: Double) -> [Double] {
        Biquad.highPass(38, q: 0.5, rate: rate).filter(
            Biquad.highShelf(1500, q: 0.7071, gain: 4, rate: rate).filter(samples))
    }

    private static func averages(_ values: [Double], over size: Int) -> [Double] {
        var sum = 0.0
        return values.indices.map { i in
            sum += values[i]
            if i >= size { sum -= values[i - size] }
            return max(0, sum) / Double(size)
        }
    }
}

/// A second-order filter, by the Audio EQ Cookbook.
private struct Biquad {
    var b: (Double, Double, Double)
    /// Without its first, which is 1.
    var a: (Double, Double)

    static func highPass(_ frequency: Double, q: Double, rate: Double) -> Biquad {
        let w = 2 * Double.pi * frequency / rate
        let (alpha, c) = (sin(w) / (2 * q), cos(w))
        let a0 = 1 + alpha
        return Biquad(b: ((1 + c) / 2 / a0, -(1 + c) / a0, (1 + c) / 2 / a0), a: (-2 * c / a0, (1 - alpha) / a0))
    }

    static func highShelf(_ frequency: Double, q: Double, gain: Double, rate: Double) -> Biquad {
        let a = pow(10, gain / 40)
        let w = 2 * Double.pi * frequency / rate
        let (alpha, c) = (sin(w) / (2 * q), cos(w))
        let s = 2 * a.squareRoot() * alpha
        let a0 = (a + 1) - (a - 1) * c + s
        let b0 = a * ((a + 1) + (a - 1) * c + s)
        let b1 = -2 * a * ((a - 1) + (a + 1) * c)
        let b2 = a * ((a + 1) + (a - 1) * c - s)
        let a1 = 2 * ((a - 1) - (a + 1) * c)
        let a2 = (a + 1) - (a - 1) * c - s
        return Biquad(b: (b0 / a0, b1 / a0, b2 / a0), a: (a1 / a0, a2 / a0))
    }

    func filter(_ samples: [Double]) -> [Double] {
        var (z1, z2) = (0.0, 0.0)
        return samples.map { x in
            let y = b.0 * x + z1
            z1 = b.1 * x - a.0 * y + z2
            z2 = b.2 * x - a.1 * y
            return y
        }
    }
}

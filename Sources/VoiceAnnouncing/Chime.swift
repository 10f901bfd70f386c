// A short sound in front of a phrase, or in place of a text that nothing can say.

/// A sound of at most 3 s in front of a phrase.
package struct Chime: Equatable, Sendable {
    /// Seconds at most.
    package static let mostSeconds = 3

    package let samples: [Int16]
    /// Frames a second.
    package let rate: Int

    /// - Returns: nil where the bytes are no sound file, or a longer one.
    package init?(_ bytes: [UInt8]) {
        if let wav = WAVFile(bytes) {
            (samples, rate) = (wav.samples, wav.rate)
        } else {
            guard case .success(let sound) = SoundDecoder.decode(bytes) else { return nil }
            (samples, rate) = (sound.prepared(rate: sound.rate), sound.rate)
        }
        guard !samples.isEmpty, samples.count <= Self.mostSeconds * rate else { return nil }
    }

    func samples(at rate: Int) -> [Int16] {
        guard rate != self.rate else { return samples }
        return SoundConverter.integers(
            SoundConverter.convert(samples.map { Float($0) / 32768 }, from: self.rate, to: rate))
    }
}

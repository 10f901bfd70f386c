// Free text on its way from the speech program to the device.

struct SpokenText {
    /// Seconds of speech of one text at most; the rest is not said.
    static let mostSeconds = 60

    let words: String
    private(set) var isComplete = false
    var hasFailed = false
    private var converter: SoundConverter?
    private var taken = 0
    private var rate = 1

    init(words: String) { self.words = words }

    var isTooLong: Bool { taken > Self.mostSeconds * rate }

    /// - Returns: the samples at the device's rate; the filter may keep some back.
    mutating func take(_ samples: [Int16], from rate: Int, to target: Int) -> [Int16] {
        if converter == nil { converter = SoundConverter(from: rate, to: target) }
        self.rate = rate
        taken += samples.count
        return converter?.convert(samples, isLast: false) ?? samples
    }

    /// The end: what the filter kept back.
    mutating func finish() -> [Int16] {
        isComplete = true
        return converter?.convert([], isLast: true) ?? []
    }
}

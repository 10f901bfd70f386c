// A WAV that comes through a pipe, in any split: its lengths say nothing, since its writer did not know them.

struct WAVStream {
    enum Fault: Error, Equatable {
        case noWAV
        /// Not 16-bit PCM.
        case otherSamples
    }

    /// Bytes before the samples at most.
    private static let mostHeader = 4096

    /// Frames a second; nil before the header was read.
    private(set) var rate: Int?
    private var channels = 1
    /// Bytes that are no whole header, or no whole frame yet.
    private var pending: [UInt8] = []

    /// - Returns: the samples of the first channel in what has come.
    mutating func take(_ bytes: some Sequence<UInt8>) throws(Fault) -> [Int16] {
        pending += bytes
        if rate == nil { try readHeader() }
        guard rate != nil else { return [] }
        let frame = 2 * channels
        let whole = pending.count / frame * frame
        var samples: [Int16] = []
        samples.reserveCapacity(whole / frame)
        for place in stride(from: 0, to: whole, by: frame) { samples.append(Int16(bitPattern: word(at: place))) }
        pending.removeFirst(whole)
        return samples
    }

    /// Goes over the chunks up to the one with the samples; leaves these pending.
    private mutating func readHeader() throws(Fault) {
        guard pending.count >= 12 else { return }
        guard name(at: 0) == "RIFF", name(at: 8) == "WAVE" else { throw .noWAV }
        var place = 12
        var format: (rate: Int, channels: Int)?
        while pending.count >= place + 8 {
            let size = Int(word(at: place + 4)) | Int(word(at: place + 6)) << 16
            if name(at: place) == "data" {
                guard let format else { throw .noWAV }
                (rate, channels) = (format.rate, format.channels)
                pending.removeFirst(place + 8)
                return
            }
            guard place + 8 + size <= Self.mostHeader else { throw .noWAV }
            guard pending.count >= place + 8 + size else { return }
            if name(at: place) == "fmt " { format = try readFormat(at: place + 8, size) }
            place += 8 + size + size % 2
        }
        if pending.count > Self.mostHeader { throw .noWAV }
    }

    private func readFormat(at place: Int, _ size: Int) throws(Fault) -> (rate: Int, channels: Int) {
        guard size >= 16, word(at: place) == 1, word(at: place + 14) == 16 else { throw .otherSamples }
        let rate = Int(word(at: place + 4)) | Int(word(at: place + 6)) << 16
        let channels = Int(word(at: place + 2))
        guard (4000...192_000).contains(rate), (1...8).contains(channels) else { throw .otherSamples }
        return (rate, channels)
    }

    private func word(at place: Int) -> UInt16 { UInt16(pending[place]) | UInt16(pending[place + 1]) << 8 }

    private func name(at place: Int) -> String { String(decoding: pending[place..<place + 4], as: UTF8.self) }
}

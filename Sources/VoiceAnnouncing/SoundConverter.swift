// Sample rates by libsamplerate: whole clips once when a pack is prepared, and speech that comes in blocks.

import CSound

/// One stream of mono samples from one rate to another. Starts exact: no frame in front is lost, the end comes with the
/// last block.
final class SoundConverter {
    private let state: OpaquePointer?
    private let ratio: Double

    init(from: Int, to: Int) {
        var error: Int32 = 0
        ratio = Double(to) / Double(from)
        state = from == to ? nil : src_new(Int32(SRC_SINC_FASTEST), 1, &error)
    }

    deinit { if let state { src_delete(state) } }

    /// - Parameter isLast: also gives what the filter still holds.
    func convert(_ samples: [Int16], isLast: Bool) -> [Int16] {
        guard let state else { return samples }
        let input = samples.map { Float($0) / 32768 }
        return Self.integers(Self.run(state, input, ratio: ratio, isLast: isLast))
    }

    /// A whole sound at once, by the best filter.
    static func convert(_ samples: [Float], from: Int, to: Int) -> [Float] {
        guard from != to, !samples.isEmpty else { return samples }
        let ratio = Double(to) / Double(from)
        var error: Int32 = 0
        guard let state = src_new(Int32(SRC_SINC_MEDIUM_QUALITY), 1, &error) else { return samples }
        defer { src_delete(state) }
        return run(state, samples, ratio: ratio, isLast: true)
    }

    static func integers(_ samples: [Float]) -> [Int16] {
        samples.map { Int16(max(-32768, min(32767, ($0 * 32768).rounded()))) }
    }

    private static func run(_ state: OpaquePointer, _ input: [Float], ratio: Double, isLast: Bool) -> [Float] {
        var result: [Float] = []
        var block: [Float] = Array(repeating: 0, count: Int(Double(input.count) * ratio) + 4096)
        var used = 0
        while true {
            let made = input.withUnsafeBufferPointer { input in
                block.withUnsafeMutableBufferPointer { output -> Int in
                    var data = SRC_DATA()
                    data.data_in = input.baseAddress.map { $0 + used }
                    data.input_frames = input.count - used
                    data.data_out = output.baseAddress
                    data.output_frames = output.count
                    data.src_ratio = ratio
                    data.end_of_input = isLast ? 1 : 0
                    guard src_process(state, &data) == 0 else { return 0 }
                    used += data.input_frames_used
                    return data.output_frames_gen
                }
            }
            result += block[..<made]
            if made == 0 { return result }
        }
    }
}

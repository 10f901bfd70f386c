// The wire: frames and bodies, as fast as one connection brings them.

import BoxAssembly
import BoxFoundation
import PushProtocol

enum BenchWire {
    static let group = BenchGroup(name: "wire") { [framesLine(), bodiesLine()] }

    private static let body =
        #"{"kind":"payment","amount":"12.50","channel":"wechat","currency":"CNY","order":"20261129-0017"}"#

    /// Frames of 1 KiB, header included, in reads of 64 KiB.
    private static func framesLine() -> BenchLine {
        let payload = [UInt8](repeating: UInt8(ascii: "x"), count: 1024 - Frame.headerSize)
        var encoder = FrameEncoder()
        let stream = (0..<65_536).flatMap { _ in encoder.encode(.push, payload) }
        let reads = stride(from: 0, to: stream.count, by: 65_536).map {
            Array(stream[$0..<min($0 + 65_536, stream.count)])
        }
        return BenchLine("frames of 1 KiB decoded", .perSecond("bytes"), reach: "over 1 GB/s") {
            var frames = 0
            let rate = Bench.rate(of: stream.count) {
                var decoder = FrameDecoder()
                for read in reads {
                    decoder.receive(read)
                    while let frame = try? decoder.next() { frames += frame.payload.isEmpty ? 0 : 1 }
                }
            }
            precondition(frames == 65_536, "every frame comes out")
            return rate
        }
    }

    private static func bodiesLine() -> BenchLine {
        let bytes = Array(body.utf8)
        return BenchLine("bodies read to payments", .perSecond("payments")) {
            var payments = 0
            let rate = Bench.rate(of: 50_000) {
                for _ in 0..<50_000 {
                    guard let json = try? JSONReader.read(bytes) else { continue }
                    if case .success = PaymentReader.read(json) { payments += 1 }
                }
            }
            precondition(payments == 50_000, "every body is a payment")
            return rate
        }
    }
}

// Output that the kernel has not taken yet.

/// Bytes in order; the front is given back in large steps, so that taking is cheap.
struct SendQueue {
    private var bytes: [UInt8] = []
    private var head = 0

    var count: Int { bytes.count - head }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ more: [UInt8]) { bytes += more }

    func withFirst<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[head...])) }
    }

    mutating func removeFirst(_ count: Int) {
        head += count
        if head == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= 64 << 10)
            head = 0
        } else if head >= 64 << 10 {
            bytes.removeFirst(head)
            head = 0
        }
    }
}

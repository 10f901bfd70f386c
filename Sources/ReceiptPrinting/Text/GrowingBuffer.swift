// A list that is filled again and again. An array asks before each append whether it is shared; on the way from markup to
// bytes those questions were half of the time.

/// Grows as needed, shrinks never, has one owner.
struct GrowingBuffer<Element>: ~Copyable {
    private var base: UnsafeMutablePointer<Element>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 16)
        base = .allocate(capacity: self.capacity)
    }

    deinit {
        base.deinitialize(count: count)
        base.deallocate()
    }

    var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: base, count: count) }

    subscript(i: Int) -> Element {
        precondition(i < count)
        return base[i]
    }

    func elements(_ range: Range<Int>) -> UnsafeBufferPointer<Element> {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow(to: count + 1) }
        (base + count).initialize(to: element)
        count += 1
    }

    mutating func append(_ elements: UnsafeBufferPointer<Element>) {
        if count + elements.count > capacity { grow(to: count + elements.count) }
        if let source = elements.baseAddress { (base + count).initialize(from: source, count: elements.count) }
        count += elements.count
    }

    mutating func append(_ elements: some Sequence<Element>) {
        for element in elements { append(element) }
    }

    mutating func append(_ element: Element, times: Int) {
        guard times > 0 else { return }
        if count + times > capacity { grow(to: count + times) }
        (base + count).initialize(repeating: element, count: times)
        count += times
    }

    mutating func removeAll() {
        base.deinitialize(count: count)
        count = 0
    }

    private mutating func grow(to least: Int) {
        capacity = max(capacity * 2, least)
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
    }
}

// What a session asks for is done first come, first served: what comes of doing one thing goes to the end. Done at once, in
// the middle of an earlier list, frames would leave in another order than they were numbered in.

/// The outputs of the call under way. `add` says whether they are to be done now, and `next` gives them until none is left:
///
///     guard outputs.add(more) else { return }
///     while let output = outputs.next() { perform(output) }
package struct FirstComeQueue<Element> {
    private var elements: [Element] = []
    private var taken = 0
    private var isServed = false

    package init() {}

    /// - Returns: false where a caller further up is doing them already.
    package mutating func add(_ more: some Sequence<Element>) -> Bool {
        elements.append(contentsOf: more)
        guard !isServed else { return false }
        isServed = true
        return true
    }

    /// nil once none is left; the one who was told to do them then has done so.
    package mutating func next() -> Element? {
        guard taken < elements.count else {
            elements.removeAll(keepingCapacity: true)
            (taken, isServed) = (0, false)
            return nil
        }
        defer { taken += 1 }
        return elements[taken]
    }
}

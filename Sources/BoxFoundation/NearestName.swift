// “Did you mean …”: the known name that a mistyped one was probably meant to be.

/// The known name that a mistyped one was probably meant to be: at most two changes away.
package enum NearestName {
    /// Letters that may be wrong, missing, too many or swapped with their neighbour.
    package static let mostChanges = 2
    /// A longer name is not compared: nobody mistypes that much.
    package static let mostBytes = 64

    /// - Returns: the nearest of `names`, the first of equals; nil where none is near.
    package static func of(_ name: String, among names: some Sequence<String>) -> String? {
        let typed = lowered(name)
        guard !typed.isEmpty, typed.count <= mostBytes else { return nil }
        var best: (name: String, changes: Int)?
        for name in names {
            let known = lowered(name)
            let changes = known.starts(with: typed) && typed.count > 1 ? 1 : distance(typed, known)
            // Of a short name not more than every second letter may be wrong.
            guard changes <= min(mostChanges, known.count / 2), changes < best?.changes ?? .max else { continue }
            best = (name, changes)
        }
        return best?.name
    }

    private static func lowered(_ name: String) -> [UInt8] {
        name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Optimal string alignment: changes, insertions, deletions and swaps of neighbours that make `a` of `b`.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var before: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var least = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, before[j - 1] + 1) }
                row.append(least)
            }
            before = last
            last = row
        }
        return last[b.count]
    }
}

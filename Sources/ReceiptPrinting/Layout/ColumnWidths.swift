// How a line's width is shared among its columns.

/// What the properties `width` and `border` ask for.
struct ColumnPlan: Equatable {
    enum Border: Equatable {
        case line
        /// Columns left free between two columns, 0 to 2.
        case space(Int)
    }

    /// Stands for `*` in `widths`.
    static let rest = -1

    /// nil is `auto`: every column of the line takes the rest.
    var widths: [Int]?
    var border = Border.space(1)

    var isFramed: Bool { border == .line }

    /// Columns taken by the borders of so many columns.
    func borderColumns(_ count: Int) -> Int {
        switch border {
        case .line: count + 1
        case .space(let gap): max(0, count - 1) * gap
        }
    }

    /// The width of each column of a line with `count` columns on paper of `paper` columns; 0 is a column that does not
    /// print. Columns that can't have even one column of paper are dropped from the end.
    func shares(_ count: Int, paper: Int) -> [Int] {
        var shares = widths ?? Array(repeating: Self.rest, count: count)
        var printing = shares.count { $0 != 0 }
        for i in shares.indices.reversed() where shares[i] != 0 && printing + borderColumns(printing) > paper {
            shares[i] = 0
            printing -= 1
        }
        let room = paper - borderColumns(printing)
        Self.fillRest(&shares, room)
        Self.shrink(&shares, to: room)
        return shares
    }

    /// `*` columns share what the others leave, the last ones a column more; each has at least one.
    private static func fillRest(_ shares: inout [Int], _ room: Int) {
        let fixed = shares.reduce(0) { $0 + ($1 > 0 ? min($1, room) : 0) }
        var stars = shares.count { $0 == rest }
        var left = max(stars, room - fixed)
        for i in shares.indices where shares[i] == rest {
            shares[i] = left / stars
            left -= shares[i]
            stars -= 1
        }
    }

    /// Takes from the widest column, of equals from the last, until all fit.
    private static func shrink(_ shares: inout [Int], to room: Int) {
        for i in shares.indices { shares[i] = min(shares[i], max(room, 0)) }
        var over = shares.reduce(0, +) - room
        while over > 0 {
            var widest = 0
            for i in shares.indices where shares[i] >= shares[widest] { widest = i }
            guard shares[widest] > 0 else { return }
            shares[widest] -= 1
            over -= 1
        }
    }
}

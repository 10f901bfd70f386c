// The columns of lines that are set alike: worked out once, used until the settings or the number of columns change.

struct Table {
    struct Column {
        /// Of the line's columns.
        var index: Int
        /// Columns from the left edge of the paper.
        var start: Int
        var width: Int
    }

    private let plan: ColumnPlan
    private let count: Int
    private let alignment: HorizontalAlignment
    /// Those that print.
    private(set) var columns: [Column] = []
    /// Of the whole, borders included.
    let left: Int
    let width: Int

    init(plan: ColumnPlan, count: Int, paper: Int, alignment: HorizontalAlignment) {
        self.plan = plan
        self.count = count
        self.alignment = alignment
        let shares = plan.shares(count, paper: paper)
        let printing = shares.count { $0 > 0 }
        width = shares.reduce(0, +) + plan.borderColumns(printing)
        left = alignment.indent(paper - width)
        var place = left + (plan.isFramed ? 1 : 0)
        let gap = plan.borderColumns(2) - plan.borderColumns(1)
        for (i, share) in shares.enumerated() where share > 0 {
            columns.append(Column(index: i, start: place, width: share))
            place += share + gap
        }
    }

    func fits(_ plan: ColumnPlan, _ count: Int, _ alignment: HorizontalAlignment) -> Bool {
        alignment == self.alignment && (count == self.count || plan.widths != nil) && plan == self.plan
    }

    /// The places of the vertical lines of a framed table.
    var borders: [Int] { [left] + columns.map { $0.start + $0.width } }
}

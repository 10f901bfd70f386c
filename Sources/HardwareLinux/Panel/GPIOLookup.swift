// Which line of which chip is meant. Chips are numbered by the order in which the kernel finds them, which changed from
// one kernel of the Pi 5 to the next; labels and line names stay.

/// A line as a board names it.
package struct GPIOLineName: Equatable, Sendable {
    /// Labels (or names) that its chip may have, the likeliest first; empty: any chip.
    package var chips: [String]
    /// The line's name (`GPIO17`).
    package var line: String
    /// Its place on a chip of `chips`, for a kernel that names no lines.
    package var offset: Int?

    package init(chips: [String] = [], line: String, offset: Int? = nil) {
        self.chips = chips
        self.line = line
        self.offset = offset
    }
}

/// A chip as the kernel describes it.
package struct GPIOChip: Equatable, Sendable {
    /// A line of a chip: its name, and who holds it.
    package struct Line: Equatable, Sendable {
        package var name: String
        /// Who holds it; nil for a free line, empty where the holder has no name.
        package var consumer: String?

        package init(name: String, consumer: String? = nil) {
            self.name = name
            self.consumer = consumer
        }
    }

    package var path: String
    package var name: String
    package var label: String
    /// By offset.
    package var lines: [Line]

    package init(path: String, name: String, label: String, lines: [Line]) {
        self.path = path
        self.name = name
        self.label = label
        self.lines = lines
    }
}

/// Where a line is.
package struct GPIOPlace: Equatable, Sendable {
    package var path: String
    package var offset: Int

    package init(path: String, offset: Int) {
        self.path = path
        self.offset = offset
    }
}

/// Why a line cannot be had, and what to do about it.
package enum GPIOError: Error, Equatable, Sendable {
    /// This machine has no chip, or none that this user may open.
    case noChips
    /// No chip has such a line; the labels are of those that are there.
    case notFound(GPIOLineName, labels: [String])
    /// More than one chip has a line of that name, and the board does not say which is meant.
    case ambiguous(GPIOLineName, labels: [String])
    /// Somebody holds it; `owner` may be empty.
    case taken(GPIOLineName, owner: String)
    case notPermitted(String)
    case failed(SystemError)

    package var message: String {
        switch self {
        case .noChips: "no GPIO chip here"
        case .notFound(let line, let labels):
            "no line \(line.line) on \(Self.list(line.chips, or: "any chip")); there is \(Self.list(labels, or: "none"))"
        case .ambiguous(let line, let labels):
            "\(line.line) is on each of \(Self.list(labels, or: "none")): name the chip in board.json"
        case .taken(let line, let owner):
            "\(line.line) is held by \(owner.isEmpty ? "another program" : "\"\(owner)\""): stop it or take another line"
        case .notPermitted(let path): "\(path) may not be opened by this user: add it to the group gpio"
        case .failed(let error): error.message
        }
    }

    private static func list(_ names: [String], or none: String) -> String {
        names.isEmpty ? none : names.joined(separator: ", ")
    }
}

/// Finds the line that is meant, by the chip's label and the line's name; numbers change from kernel to kernel.
package enum GPIOLookup {
    /// Finds a line: on the board's chips by name, then by offset, then by name on any other chip.
    ///
    /// - Parameter chips: in the kernel's order.
    package static func find(_ line: GPIOLineName, in chips: [GPIOChip]) throws(GPIOError) -> GPIOPlace {
        guard !chips.isEmpty else { throw .noChips }
        for wanted in line.chips {
            let matching = chips.filter { $0.label == wanted || $0.name == wanted }
            if let place = try findByName(line, in: matching) { return place }
            if let offset = line.offset, let chip = matching.first, matching.count == 1, offset < chip.lines.count {
                return GPIOPlace(path: chip.path, offset: offset)
            }
        }
        if let place = try findByName(line, in: chips) { return place }
        throw .notFound(line, labels: chips.map(\.label))
    }

    private static func findByName(_ line: GPIOLineName, in chips: [GPIOChip]) throws(GPIOError) -> GPIOPlace? {
        let places = chips.flatMap { chip in
            chip.lines.enumerated().filter { $0.element.name == line.line && !line.line.isEmpty }
                .map { (chip: chip, offset: $0.offset) }
        }
        guard let first = places.first else { return nil }
        guard places.count == 1 else { throw .ambiguous(line, labels: places.map(\.chip.label)) }
        return GPIOPlace(path: first.chip.path, offset: first.offset)
    }
}

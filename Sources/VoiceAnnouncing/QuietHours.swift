// The hours in which the box speaks softly. The payment is printed and answered as ever.

/// A time of day, from one minute to another, over midnight where it has to be, and the volume in it.
package struct QuietHours: Equatable, Sendable {
    package static let minutesOfDay = 1440

    /// Minutes since midnight, 0 to 1439; `to` is the first that is not quiet. From 22:00 to 07:00 goes over midnight.
    package let from: Int
    package let to: Int
    /// At most this loud.
    package let volume: Volume

    /// - Parameters:
    ///   - from: `22:00`.
    ///   - to: `07:00`.
    /// - Returns: nil where one is no time of day.
    package init?(from: String, to: String, volume: Volume) {
        guard let from = Self.minute(from), let to = Self.minute(to) else { return nil }
        self.from = from
        self.to = to
        self.volume = volume
    }

    /// - Parameters:
    ///   - from: minutes since midnight, 0 to 1439, as `to`.
    package init(from: Int, to: Int, volume: Volume) {
        (self.from, self.to, self.volume) = (from, to, volume)
    }

    package func contains(minute: Int) -> Bool {
        from <= to ? (from..<to).contains(minute) : minute >= from || minute < to
    }

    private static func minute(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.utf8.count) }), parts[1].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }
}

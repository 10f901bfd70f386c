// Latency against boxes, drawn: both axes by powers of ten.

enum FleetChart {
    private static let width = 640.0
    private static let height = 360.0
    private static let margin = (left: 64.0, right: 24.0, top: 40.0, bottom: 48.0)

    private struct Series {
        var name: String
        var color: String
        var values: [Double]
    }

    static func svg(_ rows: [FleetFigures]) -> String {
        let series = [
            Series(
                name: "until the box has it, half", color: "#1f77b4",
                values: rows.map { FleetFigures.percentile($0.taken, 0.5) }),
            Series(name: "99 of 100", color: "#1f77b4", values: rows.map { FleetFigures.percentile($0.taken, 0.99) }),
            Series(
                name: "until its outcome is kept, half", color: "#d62728",
                values: rows.map { FleetFigures.percentile($0.told, 0.5) }),
            Series(name: "99 of 100", color: "#d62728", values: rows.map { FleetFigures.percentile($0.told, 0.99) }),
        ]
        let boxes = rows.map { Double($0.boxes) }
        let all = series.flatMap(\.values).filter { $0 > 0 }
        let x = Scale(boxes, from: margin.left, to: width - margin.right)
        let y = Scale(all, from: height - margin.bottom, to: margin.top)
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(Int(height))" font-family="sans-serif" \
            font-size="12"><rect width="100%" height="100%" fill="white"/>
            <text x="\(Int(margin.left))" y="20" font-size="14">A push's way, in milliseconds, against the boxes on one server</text>

            """
        text += x.marks.map { grid(x: $0, x.place($0)) }.joined() + y.marks.map { grid(y: $0, y.place($0)) }.joined()
        for (number, line) in series.enumerated() { text += draw(line, isDashed: number % 2 == 1, boxes, x, y) }
        text += legend(series)
        return text + "</svg>\n"
    }

    private static func draw(_ line: Series, isDashed: Bool, _ boxes: [Double], _ x: Scale, _ y: Scale) -> String {
        let points = zip(boxes, line.values).map { "\(x.place($0)),\(y.place($1))" }.joined(separator: " ")
        let dash = isDashed ? " stroke-dasharray=\"5 4\"" : ""
        return "<polyline points=\"\(points)\" fill=\"none\" stroke=\"\(line.color)\" stroke-width=\"2\"\(dash)/>\n"
    }

    private static func legend(_ series: [Series]) -> String {
        series.enumerated().map { number, line in
            let top = margin.top + 14 + Double(number) * 16
            let dash = number % 2 == 1 ? " stroke-dasharray=\"5 4\"" : ""
            return "<line x1=\"80\" y1=\"\(top - 4)\" x2=\"104\" y2=\"\(top - 4)\" stroke=\"\(line.color)\" "
                + "stroke-width=\"2\"\(dash)/><text x=\"110\" y=\"\(top)\">\(line.name)</text>\n"
        }.joined()
    }

    private static func grid(x value: Double, _ place: Double) -> String {
        "<line x1=\"\(place)\" y1=\"\(margin.top)\" x2=\"\(place)\" y2=\"\(height - margin.bottom)\" stroke=\"#ddd\"/>"
            + "<text x=\"\(place)\" y=\"\(height - margin.bottom + 18)\" text-anchor=\"middle\">\(label(value))</text>\n"
    }

    private static func grid(y value: Double, _ place: Double) -> String {
        "<line x1=\"\(margin.left)\" y1=\"\(place)\" x2=\"\(width - margin.right)\" y2=\"\(place)\" stroke=\"#ddd\"/>"
            + "<text x=\"\(margin.left - 8)\" y=\"\(place + 4)\" text-anchor=\"end\">\(label(value))</text>\n"
    }

    private static func label(_ value: Double) -> String { value >= 1 ? "\(Int(value))" : "\(value)" }

    /// By powers of ten.
    private struct Scale {
        var least: Int
        var most: Int
        var from: Double
        var to: Double

        init(_ values: [Double], from: Double, to: Double) {
            (self.from, self.to) = (from, to)
            least = Self.power(values.min() ?? 1)
            most = max(least + 1, Self.power(values.max() ?? 10) + 1)
            if let greatest = values.max(), Self.value(most - 1) >= greatest, most - 1 > least { most -= 1 }
        }

        var marks: [Double] { (least...most).map(Self.value) }

        func place(_ value: Double) -> Double {
            let power = Self.power(value)
            let part = Double(power - least) + Self.logarithm(value / Self.value(power))
            let place = from + (to - from) * part / Double(most - least)
            return (place * 10).rounded() / 10
        }

        /// The greatest power of ten that is not above it.
        private static func power(_ value: Double) -> Int {
            var power = 0
            while Self.value(power + 1) <= value { power += 1 }
            while Self.value(power) > value, power > -6 { power -= 1 }
            return power
        }

        private static func value(_ power: Int) -> Double {
            (0..<power.magnitude).reduce(1.0) { value, _ in power < 0 ? value / 10 : value * 10 }
        }

        /// To the base of ten, of 1 to 10, by halving: exact enough for a picture.
        private static func logarithm(_ value: Double) -> Double {
            var rest = max(1, value)
            var result = 0.0
            var part = 0.5
            for _ in 0..<12 {
                rest *= rest
                if rest >= 10 {
                    rest /= 10
                    result += part
                }
                part /= 2
            }
            return result
        }
    }
}

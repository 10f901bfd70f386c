// Pictures of any shades to black dots: scaled to the paper, then a threshold for drawings, error diffusion for photos.

/// Rows of gray, 0 black to 255 white.
package struct GrayPicture: Sendable {
    package let width: Int
    package let height: Int
    package var grays: [UInt8]

    package init(width: Int, height: Int, grays: [UInt8]) {
        self.width = width
        self.height = height
        self.grays = grays
    }

    /// Shades that are neither nearly black nor nearly white make a photo of it.
    package var isPhoto: Bool {
        let between = grays.count { (48...207).contains($0) }
        return between > grays.count / 8
    }

    /// Black where darker than half.
    package func thresholded() -> Bitmap {
        var bitmap = Bitmap(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width where grays[y * width + x] < 128 { bitmap[x, y] = true }
        }
        return bitmap
    }

    /// Floyd and Steinberg's error diffusion, each row in the opposite direction of the last.
    package func diffused() -> Bitmap {
        var bitmap = Bitmap(width: width, height: height)
        // One place more at either side, so that the error may fall off the edge.
        var errors = [Int](repeating: 0, count: width + 2)
        for y in 0..<height {
            var next = [Int](repeating: 0, count: width + 2)
            let step = y % 2 == 0 ? 1 : -1
            for i in 0..<width {
                let x = step > 0 ? i : width - 1 - i
                let wanted = Int(grays[y * width + x]) + errors[x + 1] / 16
                let isBlack = wanted < 128
                if isBlack { bitmap[x, y] = true }
                let error = wanted - (isBlack ? 0 : 255)
                errors[x + 1 + step] += error * 7
                next[x + 1 - step] += error * 3
                next[x + 1] += error * 5
                next[x + 1 + step] += error
            }
            errors = next
        }
        return bitmap
    }

    /// No wider than `most`: every dot the mean of those it stands for.
    package func fitted(to most: Int) -> GrayPicture {
        guard width > most else { return self }
        let newHeight = max(1, height * most / width)
        var scaled = [UInt8](repeating: 255, count: most * newHeight)
        for y in 0..<newHeight {
            let rows = y * height / newHeight..<max(y * height / newHeight + 1, (y + 1) * height / newHeight)
            for x in 0..<most {
                let columns = x * width / most..<max(x * width / most + 1, (x + 1) * width / most)
                scaled[y * most + x] = mean(rows, columns)
            }
        }
        return GrayPicture(width: most, height: newHeight, grays: scaled)
    }

    private func mean(_ rows: Range<Int>, _ columns: Range<Int>) -> UInt8 {
        var sum = 0
        for y in rows {
            for x in columns { sum += Int(grays[y * width + x]) }
        }
        return UInt8(sum / (rows.count * columns.count))
    }
}

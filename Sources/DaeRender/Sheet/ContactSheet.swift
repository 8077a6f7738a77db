import DaeImages

/// Pictures of one size in rows, each with its caption below.
package struct ContactSheet: Sendable {
    /// Pixels of all of it at most.
    package static let mostPixels = 100_000_000

    /// Pixels of the sheet.
    package let width: Int
    /// Pixels of the sheet.
    package let height: Int
    /// Red, green, blue and alpha of each pixel, the top row first.
    package private(set) var pixels: [UInt8]

    private let columns: Int
    private let cell: (width: Int, height: Int)
    private let captionHeight: Int
    /// Pixels a side of each pixel of a letter.
    private let scale: Int

    private static let gap = 8
    private static let paper: [UInt8] = [32, 33, 36, 255]
    private static let ink: [UInt8] = [222, 222, 222, 255]

    /// How many columns hold so many pictures in about the shape of a screen, and the size of that in pixels.
    private static func shape(
        _ count: Int, _ width: Int, _ height: Int
    ) -> (columns: Int, scale: Int, width: Int, height: Int) {
        let scale = max(1, width / 128)
        let caption = PixelFont.height * scale + gap
        var columns = 1
        while columns * (width + gap) * 10 < (count + columns - 1) / columns * (height + caption + gap) * 14 {
            columns += 1
        }
        columns = min(columns, count)
        let rows = (count + columns - 1) / columns
        return (columns, scale, gap + columns * (width + gap), gap + rows * (height + caption + gap))
    }

    /// Whether there can be a sheet of so many pictures of this size.
    package static func fits(_ count: Int, width: Int, height: Int) -> Bool {
        guard count > 0, count <= mostPixels / max(1, width * height) else { return false }
        let shape = shape(count, width, height)
        return shape.width * shape.height <= mostPixels
    }

    /// An empty one; `nil` for none, and where it would be too large.
    ///
    /// - Parameters:
    ///   - count: Of pictures that it is to hold.
    ///   - width: Pixels of each.
    ///   - height: Pixels of each.
    package init?(count: Int, width: Int, height: Int) {
        guard Self.fits(count, width: width, height: height) else { return nil }
        let shape = Self.shape(count, width, height)
        (self.width, self.height) = (shape.width, shape.height)
        (columns, scale) = (shape.columns, shape.scale)
        cell = (width, height)
        captionHeight = PixelFont.height * shape.scale + Self.gap
        pixels = []
        pixels.reserveCapacity(self.width * self.height * 4)
        for _ in 0..<self.width * self.height { pixels += Self.paper }
    }

    /// Puts a picture in its place.
    ///
    /// - Parameters:
    ///   - picture: Of the size that was said; `nil` leaves the place empty.
    ///   - caption: Cut where it is longer than the picture is wide.
    package mutating func place(_ picture: RenderedPicture?, caption: String, at index: Int) {
        let left = Self.gap + index % columns * (cell.width + Self.gap)
        let top = Self.gap + index / columns * (cell.height + captionHeight + Self.gap)
        guard index >= 0, left + cell.width <= width, top + cell.height + captionHeight <= height else { return }
        if let picture, picture.width == cell.width, picture.height == cell.height {
            for row in 0..<cell.height {
                let (from, to) = (row * cell.width * 4, ((top + row) * width + left) * 4)
                pixels.replaceSubrange(to..<to + cell.width * 4, with: picture.pixels[from..<from + cell.width * 4])
            }
        }
        let most = cell.width / (PixelFont.advance * scale)
        let shown = caption.count > most ? String(caption.prefix(max(0, most - 1))) + "…" : caption
        let indent = (cell.width - shown.count * PixelFont.advance * scale) / 2
        write(shown, left: left + max(0, indent), top: top + cell.height + Self.gap / 2)
    }

    /// The sheet as a file.
    package func png() throws -> [UInt8] { try PNGImage(width: width, height: height, rgba: pixels).bytes }

    private mutating func write(_ text: String, left: Int, top: Int) {
        for (index, character) in text.enumerated() {
            let start = left + index * PixelFont.advance * scale
            for y in 0..<PixelFont.height * scale {
                for x in 0..<(PixelFont.advance - 1) * scale
                where PixelFont.isSet(character, x: x / scale, y: y / scale) {
                    let place = ((top + y) * width + start + x) * 4
                    pixels.replaceSubrange(place..<place + 4, with: Self.ink)
                }
            }
        }
    }
}

/// Pixels in the form that a graphics card takes.
package struct CardTexture: Sendable, Equatable {
    /// What is stored as one.
    package struct Block: Sendable, Equatable {
        /// Pixels, at least 1; 1 where pixels are not compressed.
        package let width: Int
        package let height: Int
        package let bytes: Int

        /// One pixel by itself.
        package static func pixel(_ bytes: Int) -> Block { Block(width: 1, height: 1, bytes: bytes) }

        /// 4 × 4 pixels.
        static func square(_ bytes: Int) -> Block { Block(width: 4, height: 4, bytes: bytes) }

        /// ASTC's sizes in the order in which Khronos numbers them.
        static func astc(_ index: Int) -> Block {
            let (width, height) = [
                (4, 4), (5, 4), (5, 5), (6, 5), (6, 6), (8, 5), (8, 6), (8, 8), (10, 5), (10, 6), (10, 8), (10, 10),
                (12, 10), (12, 12),
            ][index]
            return Block(width: width, height: height, bytes: 16)
        }

        /// Two pixels side by side, which share some of their values.
        static let pair = Block(width: 2, height: 1, bytes: 4)
    }

    package let block: Block
    /// The image and its smaller versions, each half as wide and high; `nil` for all down to one pixel.
    package private(set) var levels: Int?
    /// Slices of a volume, halved with each level; 1 for any other image.
    package private(set) var depth = 1
    /// Faces of a cube, members of an array; 1 for any other image.
    package private(set) var layers = 1

    /// Of an image of that size, with all levels and layers; the greatest number where there would be more.
    package func bytes(width: Int, height: Int) -> Int64 {
        var total: Int64 = 0
        var (width, height, depth) = (width, height, depth)
        var left = levels ?? .max
        while left > 0 {
            let (across, down) = ((width - 1) / block.width + 1, (height - 1) / block.height + 1)
            total = total.saturatingAdd(.saturatingProduct(across, down, block.bytes, depth, layers))
            guard width > 1 || height > 1 || depth > 1 else { break }
            (width, height, depth) = (max(1, width / 2), max(1, height / 2), max(1, depth / 2))
            left -= 1
        }
        return total
    }
}

/// What one pixel of a texture for graphics cards is made of: its values, bits of each, and what is stored as one; each
/// part `nil` where it is not known here.
typealias CardPixel = (channels: Int?, depth: Int?, block: CardTexture.Block?)

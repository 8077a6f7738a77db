/// Pixels in the form that a graphics card takes.
package struct CardTexture: Sendable, Equatable {
    /// What is stored as one.
    package struct Block: Sendable, Equatable {
        /// Pixels, at least 1; 1 where pixels are not compressed.
        package let width: Int
        package let height: Int
        package let bytes: Int

        package init(width: Int, height: Int, bytes: Int) {
            self.width = width
            self.height = height
            self.bytes = bytes
        }

        /// One pixel by itself.
        package static func pixel(_ bytes: Int) -> Block { Block(width: 1, height: 1, bytes: bytes) }

        /// 4 × 4 pixels.
        static func square(_ bytes: Int) -> Block { Block(width: 4, height: 4, bytes: bytes) }

        /// Two pixels side by side, which share some of their values.
        static let pair = Block(width: 2, height: 1, bytes: 4)
    }

    package let block: Block
    /// The image and its smaller versions, each half as wide and high; `nil` for all down to one pixel.
    package let levels: Int?
    /// Slices of a volume, halved with each level; 1 for any other image.
    package let depth: Int
    /// Faces of a cube, members of an array; 1 for any other image.
    package let layers: Int

    package init(block: Block, levels: Int? = nil, depth: Int = 1, layers: Int = 1) {
        self.block = block
        self.levels = levels
        self.depth = depth
        self.layers = layers
    }

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

/// What one pixel of a texture for graphics cards is made of; each part `nil` where it is not known here.
struct CardPixel {
    var channels: Int?
    /// Bits a value.
    var depth: Int?
    var block: CardTexture.Block?

    init(_ channels: Int? = nil, _ depth: Int? = nil, _ block: CardTexture.Block? = nil) {
        self.channels = channels
        self.depth = depth
        self.block = block
    }
}

/// Pixels in the form that a graphics card takes.
public struct CardTexture: Sendable, Equatable {
    /// What is stored as one.
    public struct Block: Sendable, Equatable {
        /// Pixels, at least 1; 1 where pixels are not compressed.
        public let width: Int
        public let height: Int
        public let bytes: Int

        public init(width: Int, height: Int, bytes: Int) {
            self.width = width
            self.height = height
            self.bytes = bytes
        }

        /// One pixel by itself.
        public static func pixel(_ bytes: Int) -> Block { Block(width: 1, height: 1, bytes: bytes) }

        /// 4 × 4 pixels.
        static func square(_ bytes: Int) -> Block { Block(width: 4, height: 4, bytes: bytes) }
    }

    public let block: Block
    /// The image and its smaller versions, each half as wide and high; `nil` for all down to one pixel.
    public let levels: Int?
    /// Slices of a volume, halved with each level; 1 for any other image.
    public let depth: Int
    /// Faces of a cube, members of an array; 1 for any other image.
    public let layers: Int

    public init(block: Block, levels: Int? = nil, depth: Int = 1, layers: Int = 1) {
        self.block = block
        self.levels = levels
        self.depth = depth
        self.layers = layers
    }

    /// Of an image of that size, with all levels and layers; the greatest number where there would be more.
    public func bytes(width: Int, height: Int) -> Int64 {
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

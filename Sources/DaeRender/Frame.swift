/// What all threads need to draw a picture; nothing of it changes while they do.
struct Frame: Sendable {
    var view: Viewpoint
    var style: RenderOptions.Style
    /// Of a pixel.
    var samples: Int
    /// Not multiplied by its alpha.
    var background: SIMD4<Float>
    var draws: [Draw] = []
    var looks: [Look] = []
    var textures: [TextureImage] = []
    var illumination = Illumination()
    var vertices: [ScreenVertex] = []
    var pieces: [Piece] = []
    var tiles = TileLists()
    /// Fragments of one tile at most.
    var mostFragments = 1 << 20

    /// Half of a line's width, in 256ths of a pixel.
    static let halfLine = 160.0

    /// Whether lines are a pixel in each column, or each row where they are steep, without smoothing: as OpenGL's are, and
    /// those of the suite's pictures.
    var hasWholeLines: Bool { style == .suite }

    /// The draw that a triangle or line belongs to.
    func draw(of face: Int) -> Int {
        var (low, high) = (0, draws.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if draws[middle].firstFace <= face { low = middle } else { high = middle - 1 }
        }
        return low
    }
}

/// For each tile of a picture, what touches it.
struct TileLists: Sendable {
    /// Pixels of a side.
    static let side = 32
    /// Marks a number as that of a piece.
    static let pieceBit: UInt32 = 1 << 31

    private(set) var across = 0
    private(set) var down = 0
    private var starts: [Int] = [0]
    /// Numbers of triangles, or of pieces with the bit.
    private(set) var entries: [UInt32] = []

    init() {}

    init(width: Int, height: Int) {
        across = (width + Self.side - 1) / Self.side
        down = (height + Self.side - 1) / Self.side
        starts = [Int](repeating: 0, count: across * down + 1)
    }

    var count: Int { across * down }

    /// Into the entries.
    func range(_ tile: Int) -> Range<Int> { starts[tile]..<starts[tile + 1] }

    /// - Parameter parts: One after the other, each with its tiles and what touches these.
    mutating func fill(_ parts: [TileEntries]) {
        for part in parts {
            for tile in part.tiles { starts[Int(tile) + 1] += 1 }
        }
        for tile in 0..<count { starts[tile + 1] += starts[tile] }
        var next = starts
        entries = [UInt32](repeating: 0, count: starts[count])
        var firstPiece: UInt32 = 0
        for part in parts {
            for (tile, entry) in zip(part.tiles, part.entries) {
                entries[next[Int(tile)]] = entry & Self.pieceBit == 0 ? entry : entry &+ firstPiece
                next[Int(tile)] += 1
            }
            firstPiece &+= UInt32(truncatingIfNeeded: part.pieces.count)
        }
    }
}

/// What some triangles and lines touch.
struct TileEntries: Sendable {
    var tiles: [UInt32] = []
    /// As in ``TileLists``, with pieces numbered from 0.
    var entries: [UInt32] = []
    var pieces: [Piece] = []
}

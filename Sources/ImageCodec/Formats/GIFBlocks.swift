/// The bytes of blocks that each begin with their size, up to an empty one.
struct GIFBlocks {
    private let file: FileBytes
    private(set) var place: Int
    private var left = 0
    /// Whether the file ends before the blocks do.
    private(set) var isCut = false

    init(_ file: FileBytes, at place: Int) {
        self.file = file
        self.place = place
    }

    mutating func next() -> UInt8? {
        if left == 0 {
            guard let size = file[place] else {
                isCut = true
                return nil
            }
            guard size > 0 else { return nil }
            left = Int(size)
            place += 1
        }
        guard let byte = file[place] else {
            isCut = true
            return nil
        }
        place += 1
        left -= 1
        return byte
    }
}

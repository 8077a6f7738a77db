/// What stands before the pixels of a GIF's first frame.
struct GIFFrame {
    let screenWidth: Int
    let screenHeight: Int
    let left: Int
    let top: Int
    let width: Int
    let height: Int
    let isInterlaced: Bool
    /// The index that stands for no colour.
    let clearIndex: UInt8?
    /// Red, green and blue of each index.
    let palette: [UInt8]
    let codeSize: Int
    /// Where the blocks of codes begin.
    let start: Int

    var coversScreen: Bool { left == 0 && top == 0 && width >= screenWidth && height >= screenHeight }

    init(_ file: FileBytes) throws(ImageFault) {
        guard let width = file.little16(6), let height = file.little16(8), let screen = file[10] else {
            throw .truncated
        }
        (screenWidth, screenHeight) = (width, height)
        var place = 13
        let shared = Self.palette(file, at: &place, flags: screen)
        var clear: UInt8?
        walk: while true {
            guard let mark = file[place] else { throw .truncated }
            switch mark {
            case 0x2C: break walk
            case 0x21:
                // Of a graphic control: the fourth byte behind the size, where the first says that it counts.
                if file[place + 1] == 0xF9, file[place + 2] == 4, let flags = file[place + 3] {
                    clear = flags & 1 == 0 ? nil : file[place + 6]
                }
                place = try Self.end(ofBlocks: place + 2, file)
            case 0x3B: throw .invalid("it has no frame")
            default: throw .invalid("an unknown kind of block")
            }
        }
        guard let left = file.little16(place + 1), let top = file.little16(place + 3),
            let frameWidth = file.little16(place + 5), let frameHeight = file.little16(place + 7),
            let flags = file[place + 9]
        else { throw .truncated }
        guard frameWidth > 0, frameHeight > 0 else { throw .invalid("its frame has no size") }
        (self.left, self.top, self.width, self.height) = (left, top, frameWidth, frameHeight)
        isInterlaced = flags & 0x40 != 0
        clearIndex = clear
        place += 10
        palette = Self.palette(file, at: &place, flags: flags) ?? shared ?? []
        guard !palette.isEmpty else { throw .invalid("it has no colours") }
        guard let codeSize = file[place] else { throw .truncated }
        guard (1...8).contains(codeSize) else { throw .invalid("codes of \(codeSize) bits") }
        self.codeSize = Int(codeSize)
        start = place + 1
    }

    /// `nil` where the flags say that there is none; as much as there is where the file ends.
    private static func palette(_ file: FileBytes, at place: inout Int, flags: UInt8) -> [UInt8]? {
        guard flags & 0x80 != 0 else { return nil }
        let size = 3 << (Int(flags & 7) + 1)
        defer { place += size }
        return Array(file.all.dropFirst(place).prefix(size))
    }

    private static func end(ofBlocks start: Int, _ file: FileBytes) throws(ImageFault) -> Int {
        var place = start
        while let size = file[place] {
            place += 1 + Int(size)
            if size == 0 { return place }
        }
        throw .truncated
    }
}

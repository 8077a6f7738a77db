/// Follows the runs of a packed BMP. Pixels that are jumped over have the first colour.
struct BMPRuns {
    private let file: FileBytes
    private let image: BMPHeader
    private var place: Int
    private var x = 0
    private var row = 0
    /// Written so far.
    private(set) var pixels = 0
    /// Whether the runs go on to the mark at their end, or to the last pixel.
    private(set) var isComplete = false

    init(_ file: FileBytes, _ image: BMPHeader) {
        self.file = file
        self.image = image
        place = image.start
    }

    mutating func fill(_ raster: inout Raster) {
        for index in 0..<(image.width * image.height) { image.writeColour(0, to: &raster.bytes, at: index * 3) }
        while row < image.height, let first = file[place], let second = file[place + 1] {
            place += 2
            if first > 0 {
                repeats(Int(first), of: second, in: &raster)
                continue
            }
            switch second {
            case 0:
                x = 0
                row += 1
            case 1:
                isComplete = true
                return
            case 2:
                guard let right = file[place], let up = file[place + 1] else { return }
                place += 2
                x += Int(right)
                row += Int(up)
            case let count: literal(Int(count), in: &raster)  // bytes
            }
        }
        isComplete = row >= image.height || (row == image.height - 1 && x >= image.width)
    }

    private mutating func repeats(_ count: Int, of value: UInt8, in raster: inout Raster) {
        for index in 0..<count {
            write(image.bits == 8 ? value : index % 2 == 0 ? value >> 4 : value & 0xF, to: &raster)
        }
    }

    /// Padded to whole numbers of 16 bits.
    private mutating func literal(_ count: Int, in raster: inout Raster) {
        let size = image.bits == 8 ? count : (count + 1) / 2
        for index in 0..<count {
            guard let value = file[place + (image.bits == 8 ? index : index / 2)] else { break }
            write(image.bits == 8 ? value : index % 2 == 0 ? value >> 4 : value & 0xF, to: &raster)
        }
        place += size + size % 2
    }

    /// What goes beyond the row is lost.
    private mutating func write(_ index: UInt8, to raster: inout Raster) {
        if x < image.width {
            image.writeColour(Int(index), to: &raster.bytes, at: image.line(row) * raster.rowBytes + x * 3)
            pixels += 1
        }
        x += 1
    }
}

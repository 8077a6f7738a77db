/// Reads BMP of Windows and OS/2. The fourth byte of 32 bits is alpha only where the header has a mask for it.
enum BMPDecoder: ImageDecoder {
    static func decode(
        _ bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        let file = FileBytes(bytes)
        let image = try BMPFileHeader(file)
        switch image.form {
        case .indices:
            return try rows(file, image, channels: 3, limits: limits) { place, output, target in
                let index = Int(file.all[place.byte] >> UInt8(8 - image.bits - place.bit)) & (1 << image.bits - 1)
                image.writeColour(index, to: &output, at: target)
            }
        case .colours(let fields):
            let size = image.bits / 8
            return try rows(file, image, channels: fields.count, limits: limits) { place, output, target in
                fields.write(file.little(place.byte, bytes: size), to: &output, at: target)
            }
        case .runs:
            var raster = try Raster(width: image.width, height: image.height, channels: 3, limits: limits)
            var runs = BMPRuns(file, image)
            runs.fill(&raster)
            guard runs.pixels > 0 else { throw .truncated }
            if !runs.isComplete { raster.completeness = .cut }
            return raster
        }
    }

    /// Where a pixel begins.
    private struct PixelPlace {
        let byte: Int
        let bit: Int
    }

    /// Rows that are not packed, each of whole numbers of 32 bits.
    private static func rows(
        _ file: FileBytes, _ image: BMPFileHeader, channels: Int, limits: ImageLimits,
        write: (PixelPlace, inout [UInt8], Int) -> Void
    ) throws(ImageFault) -> Raster {
        try limits.check(width: image.width, height: image.height, channels: channels)
        let rowSize = (image.width * image.bits + 31) / 32 * 4
        var raster = try Raster(
            width: image.width, height: image.height, channels: channels, limits: limits,
            source: (there: file.count - image.start, least: image.height * rowSize))
        for row in 0..<image.height {
            let start = image.start + row * rowSize
            let there = min(image.width, max(0, file.count - start) * 8 / image.bits)
            let target = image.line(row) * raster.rowBytes
            for x in 0..<there {
                let bit = x * image.bits
                write(PixelPlace(byte: start + bit / 8, bit: bit % 8), &raster.bytes, target + x * channels)
            }
            guard there < image.width else { continue }
            guard row > 0 || there > 0 else { throw .truncated }
            raster.completeness = .cut
            break
        }
        return raster
    }
}

extension BMPFileHeader {
    /// Where the file's row stands in the image, from the top.
    func line(_ row: Int) -> Int { isTopDown ? row : height - 1 - row }

    /// Black where there is no such colour.
    func writeColour(_ index: Int, to output: inout [UInt8], at target: Int) {
        guard index * 3 < palette.count else { return }
        for channel in 0..<3 { output[target + channel] = palette[index * 3 + channel] }
    }
}

// After Windows' BITMAPINFOHEADER with its successors of 52 to 124 bytes, and OS/2's of 12, 16 and 64.

/// What stands before the pixels of a BMP.
private struct BMPFileHeader {
    enum Form {
        /// Bits a pixel: 1, 2, 4 or 8.
        case indices
        /// Bytes a pixel: 2, 3 or 4.
        case colours(BitFields)
        /// Runs of indices of 4 or 8 bits.
        case runs
    }

    let width: Int
    let height: Int
    let isTopDown: Bool
    let bits: Int
    let form: Form
    /// Red, green and blue of each index; whole colours only.
    let palette: [UInt8]
    /// Where the pixels begin.
    let start: Int

    private static let fileHeader = 14

    init(_ file: FileBytes) throws(ImageFault) {
        guard let size = file.little32(14), file.count >= Self.fileHeader + size else { throw .truncated }
        let isCore = size == 12
        guard isCore || size >= 16 else { throw .invalid("its header has \(size) bytes") }
        func word(_ place: Int) -> Int { Int(file.little(place, bytes: 2)) }
        func long(_ place: Int) -> Int { Int(file.little(place, bytes: 4)) }

        let signedHeight = isCore ? word(20) : Int(Int32(truncatingIfNeeded: long(22)))
        width = isCore ? word(18) : long(18)
        height = abs(signedHeight)
        isTopDown = signedHeight < 0
        bits = isCore ? word(24) : word(28)
        let packing = size >= 40 ? long(30) : 0
        let isOS2 = size == 64

        var headerEnd = Self.fileHeader + size
        if size == 40, packing == 3 || packing == 6 { headerEnd += packing == 3 ? 12 : 16 }
        let hasAlphaMask = size >= 56 || packing == 6

        switch (packing, bits) {
        case (0, 1), (0, 2), (0, 4), (0, 8): form = .indices
        case (0, 16): form = .colours(try BitFields(masks: Array(BitFields.fifteenBits.prefix(3))))
        case (0, 24), (0, 32): form = .colours(try BitFields(masks: Array(BitFields.thirtyTwoBits.prefix(3))))
        case (1, 8), (2, 4): form = .runs
        case (3, 16), (3, 24), (3, 32), (6, 16), (6, 24), (6, 32):
            guard !isOS2 else { throw .unsupported("a BMP in OS/2's Huffman code") }
            guard file.count >= 54 + (hasAlphaMask ? 16 : 12) else { throw .truncated }
            var masks = [long(54), long(58), long(62)].map { UInt32($0) }
            if hasAlphaMask, long(66) != 0 { masks.append(UInt32(long(66))) }
            form = .colours(try BitFields(masks: masks))
        case (4, _): throw .unsupported(isOS2 ? "a BMP in runs of 24 bits" : "a BMP that holds a JPEG")
        case (5, _): throw .unsupported("a BMP that holds a PNG")
        case (_, _): throw .unsupported("a BMP of \(bits) bits and packing \(packing)")
        }

        let offset = file.little32(10) ?? 0
        guard bits <= 8 else {
            palette = []
            start = max(offset, headerEnd)
            return
        }
        let entry = isCore ? 3 : 4
        let used = size >= 40 ? long(46) : 0
        let told = used == 0 ? 1 << bits : min(used, 1 << bits)
        // Where there is less room than colours, pixels begin behind those that are there.
        let room = (offset > headerEnd ? min(offset, file.count) : file.count) - headerEnd
        let count = max(0, min(told, room / entry))
        palette = (0..<count).flatMap { index in
            [2, 1, 0].map { file.all[headerEnd + index * entry + $0] }
        }
        start = offset > headerEnd ? offset : headerEnd + count * entry
    }
}

/// Follows the runs of a packed BMP. Pixels that are jumped over have the first colour.
private struct BMPRuns {
    private let file: FileBytes
    private let image: BMPFileHeader
    private var place: Int
    private var x = 0
    private var row = 0
    /// Written so far.
    private(set) var pixels = 0
    /// Whether the runs go on to the mark at their end, or to the last pixel.
    private(set) var isComplete = false

    init(_ file: FileBytes, _ image: BMPFileHeader) {
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

// After Windows' BITMAPINFOHEADER with its successors of 52 to 124 bytes, and OS/2's of 12, 16 and 64.

/// What stands before the pixels of a BMP.
struct BMPHeader {
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

/// What the first 18 bytes of a TGA say.
struct TGAHeader {
    private enum Form {
        case mapped
        case colour
        case grey
    }

    private static let length = 18
    private let form: Form
    private let bits: Int
    private let alphaBits: Int
    private let mapFirst: Int
    private let mapCount: Int
    private let mapBits: Int
    private let mapStart: Int

    let width: Int
    let height: Int
    let isPacked: Bool
    let isTopDown: Bool
    let isRightToLeft: Bool
    /// Where the pixels begin.
    let start: Int

    init(_ file: FileBytes) throws(ImageFault) {
        guard file.count >= Self.length else { throw .truncated }
        let bytes = file.all
        switch bytes[2] & ~8 {
        case 1: form = .mapped
        case 2: form = .colour
        case 3: form = .grey
        default: throw .unsupported("TGA of type \(bytes[2])")
        }
        isPacked = bytes[2] & 8 != 0
        bits = Int(bytes[16])
        alphaBits = Int(bytes[17] & 0xF)
        isRightToLeft = bytes[17] & 0x10 != 0
        isTopDown = bytes[17] & 0x20 != 0
        width = Int(file.little(12, bytes: 2))
        height = Int(file.little(14, bytes: 2))
        mapFirst = Int(file.little(3, bytes: 2))
        mapBits = Int(bytes[7])
        mapStart = Self.length + Int(bytes[0])
        // A picture of true colours may have a palette too, which is passed over.
        mapCount = bytes[1] == 0 ? 0 : Int(file.little(5, bytes: 2))
        start = mapStart + mapCount * ((mapBits + 7) / 8)
    }

    /// How the file's pixels become values.
    func pixel(_ file: FileBytes) throws(ImageFault) -> TGAPixel {
        switch form {
        case .grey where bits == 8: return TGAPixel(bytes: 1, channels: 1, form: .grey)
        case .grey where bits == 16: return TGAPixel(bytes: 2, channels: alphaBits > 0 ? 2 : 1, form: .grey)
        case .colour:
            let fields = try fields(bits: bits)
            return TGAPixel(bytes: (bits + 7) / 8, channels: fields.count, form: .colour(fields))
        case .mapped where bits == 8 || bits == 15 || bits == 16:
            let (colours, channels) = try palette(file)
            return TGAPixel(
                bytes: (bits + 7) / 8, channels: channels, form: .mapped(colours: colours, first: mapFirst))
        case .grey, .mapped: throw .unsupported("pixels of \(bits) bits")
        }
    }

    private func fields(bits: Int) throws(ImageFault) -> BitFields {
        let masks: [UInt32]
        switch bits {
        case 15: return try BitFields(masks: Array(BitFields.fifteenBits.prefix(3)))
        case 16: masks = BitFields.fifteenBits
        case 24: return try BitFields(masks: Array(BitFields.thirtyTwoBits.prefix(3)))
        case 32: masks = BitFields.thirtyTwoBits
        default: throw .unsupported("colours of \(bits) bits")
        }
        return try BitFields(masks: alphaBits > 0 ? masks : Array(masks.prefix(3)))
    }

    /// As many colours as are there.
    private func palette(_ file: FileBytes) throws(ImageFault) -> (colours: [UInt8], channels: Int) {
        let fields = try fields(bits: mapBits)
        let size = (mapBits + 7) / 8
        let count = min(mapCount, max(0, file.count - mapStart) / size)
        var colours = [UInt8](repeating: 0, count: count * fields.count)
        for index in 0..<count {
            fields.write(
                file.little(mapStart + index * size, bytes: size), to: &colours, at: index * fields.count)
        }
        return (colours, fields.count)
    }

    /// Whether a version 2 file says that its colours are multiplied by alpha.
    func isMultiplied(_ file: FileBytes) -> Bool {
        let footer = file.count - 26
        guard footer >= Self.length, file.text(footer + 8, count: 16) == "TRUEVISION-XFILE",
            let extensions = file.little32(footer), extensions >= Self.length
        else { return false }
        return file[extensions + 494] == 4
    }
}

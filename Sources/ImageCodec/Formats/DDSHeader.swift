// After Microsoft's DDS_HEADER, DDS_PIXELFORMAT and DDS_HEADER_DXT10; numbers of the last are DXGI_FORMAT's.

/// What stands before the pixels of a DDS.
struct DDSHeader {
    enum Form {
        case blocks(BlockKind)
        /// Pixels of whole bytes.
        case pixels(bytes: Int, BitFields)
    }

    enum Alpha {
        case straight
        case multiplied
        case none
    }

    let width: Int
    let height: Int
    let form: Form
    let alpha: Alpha
    /// Where the pixels begin.
    let start: Int

    private static let length = 128
    private static let extension10 = 20

    init(_ file: FileBytes) throws(ImageFault) {
        guard let height = file.little32(12), let width = file.little32(16), let flags = file.little32(80),
            let code = file.text(84, count: 4), file.count >= Self.length
        else { throw .truncated }
        (self.width, self.height) = (width, height)
        if flags & 4 != 0, code == "DX10" {
            guard let number = file.little32(128), let misc = file.little32(144) else { throw .truncated }
            form = try Self.form(dxgi: number)
            alpha = misc & 7 == 2 ? .multiplied : misc & 7 == 3 ? .none : .straight
            start = Self.length + Self.extension10
        } else if flags & 4 != 0 {
            (form, alpha) = try Self.form(code: code)
            start = Self.length
        } else {
            form = try Self.form(file, flags: flags)
            alpha = .straight
            start = Self.length
        }
    }

    private static func form(code: String) throws(ImageFault) -> (Form, Alpha) {
        switch code {
        case "DXT1": (.blocks(.bc1), .straight)
        case "DXT2": (.blocks(.bc2), .multiplied)
        case "DXT3": (.blocks(.bc2), .straight)
        case "DXT4": (.blocks(.bc3), .multiplied)
        case "DXT5": (.blocks(.bc3), .straight)
        case "ATI1", "BC4U": (.blocks(.bc4), .straight)
        case "ATI2", "BC5U": (.blocks(.bc5), .straight)
        default: throw .unsupported("a DDS of the kind \(name(code))")
        }
    }

    /// What is no text is a number of Direct3D 9.
    private static func name(_ code: String) -> String {
        if code.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return code }
        return "\(code.utf8.first ?? 0)"
    }

    private static func form(dxgi number: Int) throws(ImageFault) -> Form {
        switch number {
        case 24: .pixels(bytes: 4, try BitFields(masks: [0x3FF, 0xF_FC00, 0x3FF0_0000, 0xC000_0000]))
        case 28, 29: .pixels(bytes: 4, try BitFields(masks: [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000]))
        case 49: .pixels(bytes: 2, try BitFields(masks: [0xFF, 0xFF00, 0]))
        case 61: .pixels(bytes: 1, try BitFields(masks: [0xFF]))
        case 65: .pixels(bytes: 1, try BitFields(masks: [0, 0, 0, 0xFF]))
        case 70...72: .blocks(.bc1)
        case 73...75: .blocks(.bc2)
        case 76...78: .blocks(.bc3)
        case 79, 80: .blocks(.bc4)
        case 82, 83: .blocks(.bc5)
        case 85: .pixels(bytes: 2, try BitFields(masks: [0xF800, 0x7E0, 0x1F]))
        case 86: .pixels(bytes: 2, try BitFields(masks: BitFields.fifteenBits))
        case 87, 91: .pixels(bytes: 4, try BitFields(masks: BitFields.thirtyTwoBits))
        case 88, 93: .pixels(bytes: 4, try BitFields(masks: Array(BitFields.thirtyTwoBits.prefix(3))))
        case 94...96: throw .unsupported("a DDS of the kind BC6H")
        case 97...99: throw .unsupported("a DDS of the kind BC7")
        case 115: .pixels(bytes: 2, try BitFields(masks: [0xF00, 0xF0, 0xF, 0xF000]))
        default: throw .unsupported("a DDS of DXGI's format \(number)")
        }
    }

    /// By the masks of the header.
    private static func form(_ file: FileBytes, flags: Int) throws(ImageFault) -> Form {
        let bits = file.little32(88) ?? 0
        guard [8, 16, 24, 32].contains(bits) else { throw .unsupported("a DDS of \(bits) bits a pixel") }
        let masks = [92, 96, 100, 104].map { file.little($0, bytes: 4) }
        let alpha = flags & 3 == 0 || masks[3] == 0 ? [] : [masks[3]]
        let isGrey = flags & 0x2_0000 != 0
        let fields: BitFields
        if flags & 0x40 != 0 {
            fields = try BitFields(masks: Array(masks.prefix(3)) + alpha)
        } else if isGrey {
            fields = try BitFields(masks: [masks[0]] + alpha)
        } else if flags & 2 != 0, !alpha.isEmpty {
            fields = try BitFields(masks: [0, 0, 0] + alpha)
        } else {
            throw .unsupported("a DDS whose pixels are no colours")
        }
        return .pixels(bytes: bits / 8, fields)
    }
}

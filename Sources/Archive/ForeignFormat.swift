/// What people hand in by mistake, recognised so that the error can say what would help.
enum ForeignFormat: Hashable, CaseIterable {
    case binaryPropertyList, gzip, bzip2, xz, zstandard, sevenZip, rar, jpeg, png, gif, pdf, binaryGLTF, fbx, blender

    init?(start: [UInt8]) {
        guard let format = Self.allCases.first(where: { start.starts(with: $0.magic) }) else { return nil }
        self = format
    }

    private var magic: [UInt8] {
        switch self {
        case .binaryPropertyList: Array("bplist".utf8)
        case .gzip: [0x1F, 0x8B]
        case .bzip2: Array("BZh".utf8)
        case .xz: [0xFD, 0x37, 0x7A, 0x58, 0x5A]
        case .zstandard: [0x28, 0xB5, 0x2F, 0xFD]
        case .sevenZip: [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]
        case .rar: Array("Rar!".utf8)
        case .jpeg: [0xFF, 0xD8, 0xFF]
        case .png: [0x89, 0x50, 0x4E, 0x47]
        case .gif: Array("GIF8".utf8)
        case .pdf: Array("%PDF".utf8)
        case .binaryGLTF: Array("glTF".utf8)
        case .fbx: Array("Kaydara FBX".utf8)
        case .blender: Array("BLENDER".utf8)
        }
    }

    /// With its article, to follow "is".
    var description: String {
        switch self {
        case .binaryPropertyList: "an Xcode-compiled binary .dae"
        case .gzip: "gzip data"
        case .bzip2: "bzip2 data"
        case .xz: "XZ data"
        case .zstandard: "Zstandard data"
        case .sevenZip: "a 7z archive"
        case .rar: "a RAR archive"
        case .jpeg: "a JPEG image"
        case .png: "a PNG image"
        case .gif: "a GIF image"
        case .pdf: "a PDF document"
        case .binaryGLTF: "a binary glTF"
        case .fbx: "an FBX file"
        case .blender: "a Blender file"
        }
    }

    /// What the person can do about it.
    var hint: String? {
        switch self {
        case .binaryPropertyList, .fbx, .blender, .binaryGLTF: "export it again as text COLLADA (.dae)"
        case .gzip, .bzip2, .xz, .zstandard: "decompress it first"
        case .sevenZip, .rar: "pack it again as .zip"
        case .jpeg, .png, .gif, .pdf: nil
        }
    }
}

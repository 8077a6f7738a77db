/// What people hand in by mistake, recognised so that the error can say what would help.
enum ForeignFormat: Hashable, CaseIterable {
    case binaryPropertyList, gzip, bzip2, xz, zstandard, tar, packedTar, sevenZip, rar, largeFilePointer
    case jpeg, png, gif, pdf, binaryGLTF, fbx, blender

    init?(start: [UInt8]) {
        guard let format = Self.allCases.first(where: { $0.begins(start) }) else { return nil }
        self = format
    }

    private func begins(_ start: [UInt8]) -> Bool {
        !magic.isEmpty && start.dropFirst(self == .tar ? 257 : 0).starts(with: magic)
    }

    /// Empty where only its parts have marks of their own.
    private var magic: [UInt8] {
        switch self {
        case .tar: Array("ustar".utf8)
        case .packedTar: []
        case .largeFilePointer: Array("version https://git-lfs.github.com/spec/".utf8)
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
        case .tar: "a tar archive"
        case .packedTar: "a tar archive packed by gzip"
        case .sevenZip: "a 7z archive"
        case .rar: "a RAR archive"
        case .largeFilePointer: "a pointer of Git LFS"
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
        case .binaryPropertyList, .fbx, .blender: "export it again as text COLLADA (.dae)"
        case .binaryGLTF: "glTF is what dae convert writes; give the COLLADA that it was made from"
        case .gzip, .bzip2, .xz, .zstandard: "decompress it first"
        case .tar, .packedTar, .sevenZip, .rar: "unpack it and give its folder, or pack it again as .zip"
        case .largeFilePointer: "get the file itself by \"git lfs pull\""
        case .jpeg, .png, .gif, .pdf: nil
        }
    }
}

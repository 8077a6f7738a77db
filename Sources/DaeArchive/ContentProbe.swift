import DaeCore

/// What a source is by its first bytes, whatever it is called.
enum Content: Hashable {
    case empty
    case archive
    case document
    case foreign(ForeignFormat)
    case unknown

    /// Bytes looked at; white space before the first tag may be long.
    static let probedBytes = 4096

    init(of source: any ByteSource) throws(ByteSourceError) {
        self.init(start: try source.bytes(at: 0, count: Self.probedBytes))
    }

    /// - Parameter bytes: The first ones, of which no more than ``probedBytes`` are looked at.
    init(start bytes: [UInt8]) {
        if bytes.first == UInt8(ascii: "<") {
            self = .document
            return
        }
        let start = bytes.count > Self.probedBytes ? Array(bytes[..<Self.probedBytes]) : bytes
        if start.isEmpty {
            self = .empty
        } else if ["PK\u{3}\u{4}", "PK\u{5}\u{6}", "PK\u{7}\u{8}"].contains(where: { start.starts(with: $0.utf8) }) {
            self = .archive
        } else if Self.opensTag(start) {
            self = .document
        } else if let format = ForeignFormat(start: start) {
            self = .foreign(format)
        } else {
            self = .unknown
        }
    }

    /// Whether the first character after a byte order mark and white space is `<`, in UTF-8 or UTF-16.
    private static func opensTag(_ start: [UInt8]) -> Bool {
        // Without a mark the first character is white space or `<`, so that its high byte is 0.
        if start.starts(with: [0xFF, 0xFE]) || start.dropFirst().first == 0 {
            return firstLetter(start, step: 2, low: 0) == UInt8(ascii: "<")
        }
        if start.starts(with: [0xFE, 0xFF]) || start.first == 0 {
            return firstLetter(start, step: 2, low: 1) == UInt8(ascii: "<")
        }
        return firstLetter(start, step: 1, low: 0) == UInt8(ascii: "<")
    }

    /// The first byte that is no white space, among those at `low`, `low + step`, …
    private static func firstLetter(_ start: [UInt8], step: Int, low: Int) -> UInt8? {
        var rest = start[...]
        for mark: [UInt8] in [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]] where rest.starts(with: mark) {
            rest = rest.dropFirst(mark.count)
            break
        }
        return stride(from: rest.startIndex + low, to: rest.endIndex, by: step).lazy
            .map { rest[$0] }
            .first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }
}

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

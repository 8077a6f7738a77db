/// How an entry's bytes are packed, by the numbers of the ZIP specification (APPNOTE 6.3, section 4.4.5).
public enum CompressionMethod: Sendable, Hashable {
    case stored
    case deflated
    case deflate64
    case bzip2
    case lzma
    case zstandard
    case xz
    case other(UInt16)

    public init(number: UInt16) {
        switch number {
        case 0: self = .stored
        case 8: self = .deflated
        case 9: self = .deflate64
        case 12: self = .bzip2
        case 14: self = .lzma
        case 93: self = .zstandard
        case 95: self = .xz
        default: self = .other(number)
        }
    }

    public var number: UInt16 {
        switch self {
        case .stored: 0
        case .deflated: 8
        case .deflate64: 9
        case .bzip2: 12
        case .lzma: 14
        case .zstandard: 93
        case .xz: 95
        case .other(let number): number
        }
    }
}

extension CompressionMethod: CustomStringConvertible {
    public var description: String {
        switch self {
        case .stored: "stored"
        case .deflated: "deflate"
        case .deflate64: "deflate64"
        case .bzip2: "bzip2"
        case .lzma: "LZMA"
        case .zstandard: "Zstandard"
        case .xz: "XZ"
        case .other(let number): "method \(number)"
        }
    }
}

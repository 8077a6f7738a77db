// A download that was cut shows at the end of its file: what a decoder would find out last is seen by the sizes that a
// file tells, or by walking from mark to mark to the one that the format ends with. Nothing is decoded.

/// Whether an image file goes on to its end.
package enum ImageEnding {
    /// How many bytes of a file are read at most, whatever its size.
    package static let budget: Int64 = 256 << 20

    /// Whether the file is cut short.
    ///
    /// So is one without the mark that its format ends with (PNG, JPEG, GIF, packed BMP), though all pixels be there.
    ///
    /// `nil` where that is not known: of a PSD whose merged picture is deflated, of a DDS of a kind of pixel that is not
    /// known here, of a TIFF without byte counts, of a packed BMP that should tell its size and does not, of a file that
    /// contradicts itself on the way to its end, and where the reading would take more than ``budget``.
    ///
    /// - Parameters:
    ///   - result: What ``ImageProbe`` said of the same file.
    ///   - size: Bytes of the file.
    ///   - read: Gives at most `count` bytes from `offset` (0..<`size`) on, at least one; `nil` where it cannot. Asked
    ///     for twice the file's bytes at most, mostly front to back; not at all where the header tells.
    package static func isTruncated(
        _ result: ImageProbeResult, size: Int64, read: (_ offset: Int64, _ count: Int) -> [UInt8]?
    ) -> Bool? {
        switch result {
        case .image(let header):
            if let least = header.leastBytes { return size < least }
            return isTruncated(header.format, size: size, read: read)
        case .truncated: return true
        case .outOfReach(let format): return isTruncated(format, size: size, read: read)
        case .invalid, .unrecognised, .empty: return nil
        }
    }

    private static func isTruncated(
        _ format: ImageFormat, size: Int64, read: (_ offset: Int64, _ count: Int) -> [UInt8]?
    ) -> Bool? {
        guard let ending = format.ending else { return nil }
        return withoutActuallyEscaping(read) { read in
            var file = ImageFileBytes(size: size, read: read)
            do throws(ImageFileStop) {
                try ending.walk(&file)
                return false
            } catch {
                switch error {
                case .end: return true
                case .undecided: return nil
                }
            }
        }
    }
}

/// A format whose files are walked through to see whether they are whole.
protocol ImageEndingFormat {
    /// Comes back where the file is whole.
    static func walk(_ file: inout ImageFileBytes) throws(ImageFileStop)
}

extension ImageFormat {
    /// `nil` for those whose header tells, or nothing does.
    fileprivate var ending: (any ImageEndingFormat.Type)? {
        switch self {
        case .png: PNGEnding.self
        case .jpeg: JPEGEnding.self
        case .gif: GIFEnding.self
        case .bmp: BMPEnding.self
        case .tiff: TIFFEnding.self
        case .ktx: KTXEnding.self
        case .psd: PSDEnding.self
        case .hdr: HDREnding.self
        case .tga: TGAEnding.self
        case .dds, .ktx2, .webp: nil
        }
    }
}

/// Why a walk through an image file ended before it came to the file's proper end.
enum ImageFileStop: Error {
    /// The file has no more bytes.
    case end
    /// The bytes make no sense, cannot be read, or are more than the budget allows.
    case undecided
}

/// A place in a file that can be read anywhere; whoever goes behind its end is stopped.
struct ImageFileBytes {
    let size: Int64
    private(set) var position: Int64 = 0
    private let read: (Int64, Int) -> [UInt8]?
    private var block: [UInt8] = []
    private var blockStart: Int64 = 0
    /// Bytes that may still be read.
    private var budget: Int64

    private static let nearBlock = 4096
    private static let farBlock = 1 << 16

    init(size: Int64, read: @escaping (Int64, Int) -> [UInt8]?) {
        self.size = size
        self.read = read
        // No walk needs a byte more than twice.
        budget = min(ImageEnding.budget, size.saturatingAdd(size).saturatingAdd(Int64(Self.farBlock)))
    }

    mutating func byte() throws(ImageFileStop) -> UInt8 {
        let index = try held()
        position += 1
        return block[index]
    }

    /// Where in `block` the byte at `position` stands.
    private mutating func held() throws(ImageFileStop) -> Int {
        let index = position - blockStart
        if index >= 0, index < block.count { return Int(index) }
        guard position < size else { throw .end }
        // Whoever goes on where the last block ended will go on further.
        let count = index == block.count && !block.isEmpty ? Self.farBlock : Self.nearBlock
        let wanted = min(Int64(count), size - position)
        guard budget >= wanted, let bytes = read(position, Int(wanted)), !bytes.isEmpty else { throw .undecided }
        budget -= Int64(bytes.count)
        blockStart = position
        block = bytes
        return 0
    }

    /// Goes on by `count` bytes, at least 0, which must be there.
    mutating func skip(_ count: Int64) throws(ImageFileStop) {
        try seek(position.saturatingAdd(count))
    }

    /// - Parameter place: At least 0.
    mutating func seek(_ place: Int64) throws(ImageFileStop) {
        try require(place)
        position = place
    }

    /// The file must have so many bytes.
    func require(_ end: Int64) throws(ImageFileStop) {
        guard end <= size else { throw .end }
    }

    /// Goes on behind the next byte of that value.
    mutating func skip(past value: UInt8) throws(ImageFileStop) {
        while true {
            let start = try held()
            if let found = block[start...].firstIndex(of: value) {
                position += Int64(found - start + 1)
                return
            }
            position += Int64(block.count - start)
        }
    }

    mutating func bytes(_ count: Int) throws(ImageFileStop) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<count { bytes.append(try byte()) }
        return bytes
    }
}

// MARK: - Numbers

extension ImageFileBytes {
    enum Order {
        case little, big
    }

    /// A number of 1...8 bytes; one above `Int64.max` is taken for that.
    mutating func number(_ count: Int, _ order: Order) throws(ImageFileStop) -> Int64 {
        var value: UInt64 = 0
        for index in 0..<count {
            let byte = UInt64(try byte())
            switch order {
            case .little: value |= byte << UInt64(8 * index)
            case .big: value = value << 8 | byte
            }
        }
        return Int64(clamping: value)
    }

    mutating func little16() throws(ImageFileStop) -> Int { Int(try number(2, .little)) }
    mutating func little32() throws(ImageFileStop) -> Int { Int(try number(4, .little)) }
    mutating func big16() throws(ImageFileStop) -> Int { Int(try number(2, .big)) }
    mutating func big32() throws(ImageFileStop) -> Int { Int(try number(4, .big)) }
}

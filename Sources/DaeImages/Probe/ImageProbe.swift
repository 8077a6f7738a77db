// A JPEG's size may lie behind hundreds of kilobytes of metadata, and an archive's entry comes as a stream: so bytes
// are pushed as they come, and whoever can seek asks `wanted` for the next place that matters.

/// Tells an image's format and size from its first bytes, without decoding.
///
/// Push bytes in order until ``result`` is there, then or at the file's end take ``finish()``.
package struct ImageProbe: Sendable {
    /// How far into a file a size is looked for, in bytes.
    package static let budget: Int64 = 1 << 20
    /// The same for a TIFF, which may tell it behind its pixels.
    package static let budgetOfTIFF: Int64 = 64 << 20

    static func budget(of format: ImageFormat) -> Int64 { format == .tiff ? budgetOfTIFF : budget }

    private enum Step {
        case signature
        /// Of a format whose size stands among the first bytes.
        case header(any ImageHeaderFormat.Type)
        case jpeg(JPEGWalker)
        case tiff(TIFFWalker)
        case settled(ImageProbeResult)
    }

    /// The format that the file's name promises.
    private let promised: ImageFormat?
    private var step = Step.signature
    /// The file's first bytes, while its signature or its header is gathered.
    private var held: [UInt8] = []
    private var position: Int64 = 0
    private var skipped = 0

    /// - Parameter fileName: A TGA has no signature and is known by its name alone.
    package init(fileName: String = "") {
        promised = ImageFormat(fileName: fileName)
    }

    /// The verdict, once there is one; bytes pushed later do not change it.
    package var result: ImageProbeResult? {
        switch step {
        case .settled(let result): result
        case .signature, .header, .jpeg, .tiff: nil
        }
    }

    /// Where in the file the next byte stands that matters; `nil` once settled.
    package var wanted: Int64? { result == nil ? position + Int64(skipped) : nil }

    /// Takes the bytes that follow those pushed before.
    package mutating func push(_ bytes: Span<UInt8>) {
        var index = 0
        while index < bytes.count, result == nil {
            if skipped > 0 {
                let count = min(skipped, bytes.count - index)
                skipped -= count
                index += count
                position += Int64(count)
            } else {
                position += 1
                take(bytes[index])
                index += 1
            }
        }
    }

    package mutating func push(_ bytes: [UInt8]) { push(bytes.span) }

    /// The verdict, when the file has no more bytes than were pushed.
    package func finish() -> ImageProbeResult {
        switch step {
        case .settled(let result): result
        case .header(let format): .truncated(format.format)
        case .jpeg: .truncated(.jpeg)
        case .tiff: .truncated(.tiff)
        case .signature:
            if held.isEmpty { .empty } else if let format = seen ?? begun { .truncated(format) } else { .unrecognised }
        }
    }

    /// The format that the bytes held show, or the name where bytes show nothing.
    private var seen: ImageFormat? { ImageFormat(signature: held) ?? (promised == .tga ? .tga : nil) }

    /// The format that the name promises, where the few bytes of the whole file agree.
    private var begun: ImageFormat? { promised.flatMap { $0.mayBegin(with: held) ? $0 : nil } }

    private mutating func take(_ byte: UInt8) {
        switch step {
        case .signature:
            held.append(byte)
            if held == [0xFF, 0xD8, 0xFF] {
                step = .jpeg(JPEGWalker())
            } else if held.count == 4, ImageFormat(signature: held) == .tiff {
                step = .tiff(TIFFWalker(signature: held))
            } else if held.count == ImageFormat.signatureLength {
                guard let format = seen?.headerFormat else { return settle(.unrecognised) }
                step = .header(format)
                read(format)
            }
        case .header(let format):
            held.append(byte)
            read(format)
        case .jpeg(var walker):
            guard heed(walker.take(byte), of: .jpeg) else { return }
            step = .jpeg(walker)
        case .tiff(var walker):
            guard heed(walker.take(byte), of: .tiff) else { return }
            step = .tiff(walker)
        case .settled:
            break
        }
    }

    private mutating func read(_ format: any ImageHeaderFormat.Type) {
        guard let result = format.read(HeaderBytes(held)) else { return }
        // What a name alone promises is no fault where the bytes are something else.
        switch result {
        case .invalid(.tga, _): settle(.unrecognised)
        case .image, .truncated, .outOfReach, .invalid, .unrecognised, .empty: settle(result)
        }
    }

    /// Whether the walk goes on.
    private mutating func heed(_ verdict: HeaderVerdict, of format: ImageFormat) -> Bool {
        switch verdict {
        case .more: break
        case .skip(let count): skipped = count
        case .settled(let result):
            settle(result)
            return false
        }
        // Judged by where the next byte stands, so that it does not matter how the bytes were parted.
        if skipped >= Self.budget(of: format) - position {
            settle(.outOfReach(format))
            return false
        }
        return true
    }

    private mutating func settle(_ result: ImageProbeResult) {
        step = .settled(result)
        held = []
    }
}

extension ImageFormat {
    /// `nil` for those that are walked through.
    fileprivate var headerFormat: (any ImageHeaderFormat.Type)? {
        switch self {
        case .png: PNGHeader.self
        case .gif: GIFHeader.self
        case .bmp: BMPHeader.self
        case .dds: DDSHeader.self
        case .ktx: KTXHeader.self
        case .ktx2: KTX2Header.self
        case .webp: WebPHeader.self
        case .psd: PSDHeader.self
        case .hdr: HDRHeader.self
        case .tga: TGAHeader.self
        case .jpeg, .tiff: nil
        }
    }
}

extension ImageProbe {
    /// Bytes asked for at a time.
    static let block = 4096

    /// Probes a file that can be read at any place.
    ///
    /// - Parameter read: Gives at most `count` bytes from `offset` on, none at the file's end. Asked front to back;
    ///   what does not matter is not asked for.
    package static func probe<Failure: Error>(
        fileName: String = "", read: (_ offset: Int64, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> ImageProbeResult {
        var probe = ImageProbe(fileName: fileName)
        while let offset = probe.wanted {
            probe.position = offset
            probe.skipped = 0
            let bytes = try read(offset, block)
            guard !bytes.isEmpty else { break }
            probe.push(bytes)
        }
        return probe.finish()
    }

    /// Probes a file, or the beginning of one that goes on, held in memory.
    package static func probe(_ bytes: [UInt8], fileName: String = "") -> ImageProbeResult {
        var probe = ImageProbe(fileName: fileName)
        probe.push(bytes)
        return probe.finish()
    }
}

/// What a walker through a header says after a byte.
enum HeaderVerdict {
    case more
    /// The next so many bytes do not matter.
    case skip(Int)
    case settled(ImageProbeResult)
}

/// Numbers at places of a file's first bytes. Whoever reads one has seen that there are enough.
struct HeaderBytes {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { bytes.count }
    subscript(_ place: Int) -> Int { Int(bytes[place]) }

    func little16(_ place: Int) -> Int { self[place] | self[place + 1] << 8 }
    func little32(_ place: Int) -> Int { little16(place) | little16(place + 2) << 16 }
    func big16(_ place: Int) -> Int { self[place] << 8 | self[place + 1] }
    func big32(_ place: Int) -> Int { big16(place) << 16 | big16(place + 2) }

    /// The greatest number where it would be above that.
    func little64(_ place: Int) -> Int64 {
        let high = little32(place + 4)
        return high > Int(Int32.max) ? .max : Int64(high << 32 | little32(place))
    }
}

/// A format whose size stands in its first bytes.
protocol ImageHeaderFormat: SendableMetatype {
    static var format: ImageFormat { get }

    /// The verdict over a file's first bytes, which begin as the format does; `nil` when more are needed.
    static func read(_ bytes: HeaderBytes) -> ImageProbeResult?
}

extension ImageHeaderFormat {
    static func invalid(_ fault: ImageProbeResult.Fault) -> ImageProbeResult { .invalid(format, fault) }

    /// The header of an image of that size, or what is wrong with the size.
    static func image(
        width: Int, height: Int, channels: Int?, bitDepth: Int?, layout: ImageHeader.Layout = .decoded,
        leastBytes: Int64? = nil
    ) -> ImageProbeResult {
        guard width > 0, height > 0 else { return invalid(.zeroSize) }
        guard width <= Int(Int32.max), height <= Int(Int32.max) else { return invalid(.sizeTooLarge) }
        return .image(
            ImageHeader(
                format: format, width: width, height: height, channels: channels, bitDepth: bitDepth, layout: layout,
                leastBytes: leastBytes))
    }
}

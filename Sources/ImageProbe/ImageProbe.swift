// A JPEG's size may lie behind hundreds of kilobytes of metadata, and an archive's entry comes as a stream: so bytes
// are pushed as they come, and whoever can seek asks `wanted` for the next place that matters.

/// Tells an image's format and size from its first bytes, without decoding.
///
/// Push bytes in order until ``result`` is there, then or at the file's end take ``finish()``.
public struct ImageProbe: Sendable {
    /// How far into a file a size is looked for, in bytes.
    public static let budget: Int64 = 1 << 20

    private enum Step {
        case signature
        case png
        case jpeg(JPEGWalker)
        case settled(ImageProbeResult)
    }

    private var step = Step.signature
    /// The file's first bytes, while its signature or a PNG's header is gathered.
    private var held: [UInt8] = []
    private var position: Int64 = 0
    private var skipped = 0

    public init() {}

    /// The verdict, once there is one; bytes pushed later do not change it.
    public var result: ImageProbeResult? {
        switch step {
        case .settled(let result): result
        case .signature, .png, .jpeg: nil
        }
    }

    /// Where in the file the next byte stands that matters; `nil` once settled.
    public var wanted: Int64? { result == nil ? position + Int64(skipped) : nil }

    /// Takes the bytes that follow those pushed before.
    public mutating func push(_ bytes: Span<UInt8>) {
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

    public mutating func push(_ bytes: [UInt8]) { push(bytes.span) }

    /// The verdict, when the file has no more bytes than were pushed.
    public func finish() -> ImageProbeResult {
        switch step {
        case .settled(let result): result
        case .png: .truncated(.png)
        case .jpeg: .truncated(.jpeg)
        case .signature: held.isEmpty ? .empty : Self.verdict(signature: held)
        }
    }

    private mutating func take(_ byte: UInt8) {
        switch step {
        case .signature:
            held.append(byte)
            if held == [0xFF, 0xD8, 0xFF] {
                step = .jpeg(JPEGWalker())
            } else if held.count == ImageFormat.signatureLength {
                if ImageFormat(signature: held) == .png { step = .png } else { settle(Self.verdict(signature: held)) }
            }
        case .png:
            held.append(byte)
            if let result = PNGHeader.read(held) { settle(result) }
        case .jpeg(var walker):
            switch walker.take(byte) {
            case .more: break
            case .skip(let count): skipped = count
            case .settled(let result): return settle(result)
            }
            // Judged by where the next byte stands, so that it does not matter how the bytes were parted.
            if position + Int64(skipped) >= Self.budget { return settle(.outOfReach(.jpeg)) }
            step = .jpeg(walker)
        case .settled:
            break
        }
    }

    private mutating func settle(_ result: ImageProbeResult) {
        step = .settled(result)
        held = []
    }

    /// The verdict over a file of which only the signature is read.
    private static func verdict(signature bytes: [UInt8]) -> ImageProbeResult {
        guard let format = ImageFormat(signature: bytes) else { return .unrecognised }
        switch format {
        case .png: return .truncated(.png)
        case .jpeg: return .truncated(.jpeg)
        case .gif, .bmp, .tiff, .dds, .ktx, .ktx2, .webp, .psd, .hdr, .tga: return .recognised(format)
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
    public static func probe<Failure: Error>(
        read: (_ offset: Int64, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> ImageProbeResult {
        var probe = ImageProbe()
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
    public static func probe(_ bytes: [UInt8]) -> ImageProbeResult {
        var probe = ImageProbe()
        probe.push(bytes)
        return probe.finish()
    }
}

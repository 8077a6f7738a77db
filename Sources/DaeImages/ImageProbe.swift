// A JPEG's size may lie behind hundreds of kilobytes of metadata, and a TIFF's behind its pixels: so a file is read at
// any place, and what does not matter is not asked for.

/// Reads an image's format and size from its header, without decoding.
package enum ImageProbe {
    /// How far into a file a size is looked for, in bytes.
    package static let budget: Int64 = 1 << 20
    /// The same for a TIFF, which may give it behind its pixels.
    package static let budgetOfTIFF: Int64 = 64 << 20

    static func budget(of format: ImageFormat) -> Int64 { format == .tiff ? budgetOfTIFF : budget }

    /// Probes a file that can be read at any place.
    ///
    /// - Parameters:
    ///   - fileName: A TGA has no signature and is known by its name alone.
    ///   - read: Gives at most `count` bytes from `offset` on, none at the file's end. Asked front to back.
    package static func probe<Failure: Error>(
        fileName: String = "", read: (_ offset: Int64, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> ImageProbeResult {
        var failure: Failure?
        let result = withoutActuallyEscaping(read) { read in
            var file = ImageReader { offset, count in
                guard failure == nil else { return nil }
                do throws(Failure) {
                    return try read(offset, count)
                } catch {
                    failure = error
                    return nil
                }
            }
            return probe(&file, fileName: fileName)
        }
        if let failure { throw failure }
        return result
    }

    /// Probes a file, or the beginning of one that goes on, held in memory.
    package static func probe(_ bytes: [UInt8], fileName: String = "") -> ImageProbeResult {
        var file = ImageReader(bytes)
        return probe(&file, fileName: fileName)
    }

    private static func probe(_ file: inout ImageReader, fileName: String) -> ImageProbeResult {
        let head = file.head(ImageFormat.signatureLength)
        let isWhole = head.count == ImageFormat.signatureLength
        let promised = ImageFormat(fileName: fileName)
        guard !head.isEmpty else { return .empty }
        guard let format = ImageFormat(signature: head) ?? (promised == .tga ? .tga : nil) else {
            // The few bytes of a whole file may be the beginning of what its name promises.
            guard !isWhole, let promised, promised.mayBegin(with: head) else { return .unrecognised }
            return .truncated(promised)
        }
        // Only these two are searched from their short signature on.
        guard isWhole || format == .jpeg || format == .tiff else { return .truncated(format) }
        file.reach = budget(of: format) - 1
        do throws(ImageFault) {
            let result = try format.header.probe(&file)
            // What a name alone promises is no fault where the bytes are something else.
            return format == .tga && result.header == nil ? .unrecognised : result
        } catch {
            return error == .truncated ? .truncated(format) : .outOfReach(format)
        }
    }
}

/// The reader of a format's header.
protocol ImageHeaderReader: SendableMetatype {
    static var format: ImageFormat { get }

    /// What the header of a file that begins as the format does says of the image.
    ///
    /// - Throws: `.truncated` where the file ends before the size, another fault where that is out of reach.
    static func probe(_ file: inout ImageReader) throws(ImageFault) -> ImageProbeResult
}

extension ImageHeaderReader {
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

extension ImageFormat {
    /// What reads its header; where the format is checked for its end or is decoded, it does that too.
    var header: any ImageHeaderReader.Type {
        switch self {
        case .png: PNGHeader.self
        case .jpeg: JPEGHeader.self
        case .gif: GIFHeader.self
        case .bmp: BMPHeader.self
        case .tiff: TIFFHeader.self
        case .dds: DDSHeader.self
        case .ktx: KTXHeader.self
        case .ktx2: KTX2Header.self
        case .webp: WebPHeader.self
        case .psd: PSDHeader.self
        case .hdr: HDRHeader.self
        case .tga: TGAHeader.self
        }
    }
}

// A download that was cut shows at the end of its file: what a decoder would find out last is seen by the sizes that a
// file gives, or by walking from mark to mark to the one that the format ends with. Nothing is decoded.

/// Whether an image file goes on to its end.
package enum TruncationCheck {
    /// How many bytes of a file are read at most, whatever its size.
    package static let budget: Int64 = 256 << 20

    private static let longBlock = 1 << 16

    /// Whether the file is cut short.
    ///
    /// So is one without the mark that its format ends with (PNG, JPEG, GIF, packed BMP), though all pixels be there.
    ///
    /// `nil` where that is not known: of a PSD whose merged picture is deflated, of a DDS of a kind of pixel that is not
    /// known here, of a TIFF without byte counts, of a packed BMP that should give its size and does not, of a file that
    /// contradicts itself on the way to its end, and where the reading would take more than ``budget``.
    ///
    /// - Parameters:
    ///   - result: What ``ImageProbe`` said of the same file.
    ///   - size: Bytes of the file.
    ///   - read: Gives at most `count` bytes from `offset` (0..<`size`) on, at least one; `nil` where it cannot. Asked
    ///     for twice the file's bytes at most, mostly front to back; not at all where the header gives the size.
    package static func isTruncated(
        _ result: ImageProbeResult, size: Int64, read: (_ offset: Int64, _ count: Int) -> [UInt8]?
    ) -> Bool? {
        let format: ImageFormat
        switch result {
        case .image(let header):
            if let least = header.leastBytes { return size < least }
            format = header.format
        case .outOfReach(let found): format = found
        case .truncated: return true
        case .invalid, .unrecognised, .empty: return nil
        }
        guard let format = format.header as? any ImageEndFinder.Type else { return nil }
        return withoutActuallyEscaping(read) { read in
            // No way to the end needs a byte more than twice.
            let budget = min(budget, size.saturatingAdd(size).saturatingAdd(Int64(longBlock)))
            var file = ImageReader(size: size, budget: budget, longBlock: longBlock, read: read)
            do throws(ImageFault) {
                try format.findEnd(&file)
                return false
            } catch {
                return error == .truncated ? true : nil
            }
        }
    }
}

/// A format whose files are walked through to see whether they are whole.
protocol ImageEndFinder {
    /// Returns where the file is whole; throws `.truncated` where it is not, another fault where that is not known.
    static func findEnd(_ file: inout ImageReader) throws(ImageFault)
}

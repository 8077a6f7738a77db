// Which image a decoder reads is never guessed by the decoder: the probe has named it, and its size is within the limits
// before anything is allocated for it.

package import DaeDiagnostics

/// Turns images of formats that engines do not load into PNG.
package enum ImageCodec {
    /// Whether files of that format are turned into PNG; of some there are kinds that are refused even so.
    ///
    /// PNG and JPEG are not: they are what engines load.
    package static func canDecode(_ format: ImageFormat) -> Bool { decoder(of: format) != nil }

    /// The image of a file: the first one, where there are several, in its greatest size.
    ///
    /// Values are of 8 bits, of deeper ones the upper bits. Alpha stays what it is; where all pixels are opaque it is left out.
    /// Of a file that is cut short or damaged the rest is clear black, or black, and ``PNGImage/completeness`` says so.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - header: What ``ImageProbe`` said of it.
    /// - Throws: Where the format or its kind is not read, the limits are exceeded, a library is not installed, or hardly
    ///   a pixel can be had.
    package static func png(
        from bytes: [UInt8], header: ImageHeader, limits: ImageLimits = ImageLimits()
    ) throws(ImageCodecError) -> PNGImage {
        guard canDecode(header.format) else {
            throw ImageCodecError(header.format, .unsupported("such files are not decoded"))
        }
        var raster = try raster(from: bytes, header: header, limits: limits)
        raster.dropOpaqueAlpha()
        return try PNGWriter.write(raster, of: header.format)
    }

    /// The same for a file that was not probed yet.
    ///
    /// - Parameter fileName: Tells a TGA, which has no signature.
    package static func png(
        from bytes: [UInt8], fileName: String, limits: ImageLimits = ImageLimits()
    ) throws(ImageCodecError) -> PNGImage {
        var probe = ImageProbe(fileName: fileName)
        probe.push(bytes)
        let header: ImageHeader
        switch probe.finish() {
        case .image(let found): header = found
        case .truncated(let format): throw ImageCodecError(format, .truncated)
        case .outOfReach(let format): throw ImageCodecError(format, .invalid("its size is not found"))
        case .invalid(let format, let fault): throw ImageCodecError(format, .invalid(fault.text))
        case .unrecognised: throw ImageCodecError(nil, .unsupported("its format is not known"))
        case .empty: throw ImageCodecError(nil, .truncated)
        }
        return try png(from: bytes, header: header, limits: limits)
    }

    /// Whether an image may have an alpha, as far as can be seen without its pixels.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - header: What ``ImageProbe`` said of it.
    package static func mayHaveAlpha(_ bytes: [UInt8], header: ImageHeader) -> Bool {
        switch header.format {
        case .png: PNGDecoder.mayBeClear(bytes, header)
        case .jpeg, .hdr: false
        case .bmp, .tga: header.channels.map { $0 == 2 || $0 == 4 } ?? true
        // A palette or a block may have a clear colour whatever their header counts.
        case .gif, .tiff, .dds, .ktx, .ktx2, .webp, .psd: true
        }
    }

    /// The pixels of an image of any format that is read, PNG and JPEG among them.
    ///
    /// - Parameters, Throws: As for ``png(from:header:limits:)``.
    static func raster(
        from bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageCodecError) -> Raster {
        let loaded: (any ImageDecoder.Type)? =
            switch header.format {
            case .png: PNGDecoder.self
            case .jpeg: JPEGDecoder.self
            case .gif, .bmp, .tiff, .dds, .ktx, .ktx2, .webp, .psd, .hdr, .tga: decoder(of: header.format)
            }
        guard let decoder = loaded else {
            throw ImageCodecError(header.format, .unsupported("such files are not decoded"))
        }
        try limits.check(header.format, width: header.width, height: header.height, channels: 1)
        do throws(ImageFault) {
            return try decoder.decode(bytes, header: header, limits: limits)
        } catch {
            throw ImageCodecError(header.format, error)
        }
    }

    private static func decoder(of format: ImageFormat) -> (any ImageDecoder.Type)? {
        switch format {
        case .tga: TGADecoder.self
        case .bmp: BMPDecoder.self
        case .gif: GIFDecoder.self
        case .dds: DDSDecoder.self
        case .tiff: TIFFDecoder.self
        case .webp: WebPDecoder.self
        case .png, .jpeg, .ktx, .ktx2, .psd, .hdr: nil
        }
    }
}

/// Why an image cannot be turned into PNG.
package struct ImageCodecError: CodedError, Equatable {
    /// `nil` where it is not known.
    package let format: ImageFormat?
    package let fault: ImageFault
    /// For the caller to fill in: bytes have no name.
    package var place = Place()

    init(_ format: ImageFormat?, _ fault: ImageFault) {
        self.format = format
        self.fault = fault
    }

    package var code: FindingCode {
        switch fault {
        case .unsupported, .libraryMissing: .imageUnsupportedFormat
        case .tooLarge: .imageTooLarge
        case .truncated: .imageTruncated
        case .invalid, .outOfMemory: .imageDataInvalid
        }
    }

    package var message: String {
        let name = format.map { "the \($0.rawValue) image" } ?? "the image"
        return switch fault {
        case .unsupported(let why): "\(name) is not read: \(why)"
        case .libraryMissing(let library, let package, let why):
            "\(name) needs \(library), which cannot be loaded (\(why)); on Debian it is the package \(package)"
        case .tooLarge(let width, let height, let limits):
            "\(name) has \(width) × \(height) pixels, above the limit of \(limits.side) a side, \(limits.bytes) bytes or \(limits.memory) bytes of memory"
        case .truncated: "the file of \(name) ends before its pixels, or after very few of them"
        case .invalid(let why): "\(name) is broken: \(why)"
        case .outOfMemory: "memory is short for \(name)"
        }
    }
}

/// Reads one format.
protocol ImageDecoder {
    /// - Throws: Where hardly a pixel can be had.
    static func decode(_ bytes: [UInt8], header: ImageHeader, limits: ImageLimits) throws(ImageFault) -> Raster
}

/// What keeps an image from being decoded. Texts are clauses without a full stop.
package enum ImageFault: Error, Sendable, Equatable {
    /// A format, or a kind of it, that nothing here reads.
    case unsupported(String)
    case libraryMissing(library: String, package: String, why: String)
    case tooLarge(width: Int, height: Int, limits: ImageLimits)
    /// The file ends before there is a pixel, or after less than one of 64.
    case truncated
    case invalid(String)
    case outOfMemory
}

/// How large an image may be before it is decoded.
package struct ImageLimits: Sendable, Equatable {
    /// Pixels of width or height.
    package var side: Int
    /// Bytes of all pixels when decoded, one a channel.
    package var bytes: Int
    /// Bytes that decoding may take, those of the pixels among them.
    package var memory: Int

    package init(side: Int = 16_384, bytes: Int = 256 << 20, memory: Int = 400_000_000) {
        self.side = side
        self.bytes = bytes
        self.memory = memory
    }

    /// - Parameters:
    ///   - width: As the file says, at least 0.
    ///   - channels: 1...4
    func check(width: Int, height: Int, channels: Int) throws(ImageFault) {
        let area = width.multipliedReportingOverflow(by: height)
        let size = area.partialValue.multipliedReportingOverflow(by: channels)
        guard !area.overflow, !size.overflow, width <= side, height <= side, size.partialValue <= bytes else {
            throw .tooLarge(width: width, height: height, limits: self)
        }
    }

    /// - Parameter extra: Bytes that a decoder needs beside the pixels.
    func check(_ raster: Raster, extra: Int) throws(ImageFault) {
        guard extra <= memory - raster.bytes.count else {
            throw .tooLarge(width: raster.width, height: raster.height, limits: self)
        }
    }

    func check(_ format: ImageFormat, width: Int, height: Int, channels: Int) throws(ImageCodecError) {
        do throws(ImageFault) {
            try check(width: width, height: height, channels: channels)
        } catch {
            throw ImageCodecError(format, error)
        }
    }
}

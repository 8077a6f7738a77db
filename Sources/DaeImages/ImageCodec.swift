// Which image a decoder reads is never guessed by the decoder: the probe has named it, and its size is within the limits
// before anything is allocated for it.

package import DaeDiagnostics

/// Turns images of formats that engines do not load into PNG.
package enum ImageCodec {
    /// Whether files of that format are turned into PNG; of some there are kinds that are refused even so.
    ///
    /// PNG and JPEG are not: they are what engines load.
    package static func canDecode(_ format: ImageFormat) -> Bool {
        format != .png && format != .jpeg && format.header is any ImageDecoder.Type
    }

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
    ) throws(CodedFailure) -> PNGImage {
        try CodedFailure.wrapping(header.format) { () throws(ImageFault) in
            guard canDecode(header.format) else { throw .unsupported("such files are not decoded") }
            var raster = try raster(from: bytes, header: header, limits: limits)
            raster.dropOpaqueAlpha()
            return try PNGWriter.write(raster)
        }
    }

    /// The same for a file that was not probed yet.
    ///
    /// - Parameter fileName: Tells a TGA, which has no signature.
    package static func png(
        from bytes: [UInt8], fileName: String, limits: ImageLimits = ImageLimits()
    ) throws(CodedFailure) -> PNGImage {
        switch ImageProbe.probe(bytes, fileName: fileName) {
        case .image(let header): return try png(from: bytes, header: header, limits: limits)
        case .truncated(let format): throw CodedFailure(format, .truncated)
        case .outOfReach(let format): throw CodedFailure(format, .outOfReach)
        case .invalid(let format, let fault): throw CodedFailure(format, .invalid(fault.text))
        case .unrecognised: throw CodedFailure(nil, .unsupported("its format is not known"))
        case .empty: throw CodedFailure(nil, .truncated)
        }
    }

    /// Whether an image may have an alpha, as far as can be seen without its pixels.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - header: What ``ImageProbe`` said of it.
    package static func mayHaveAlpha(_ bytes: [UInt8], header: ImageHeader) -> Bool {
        switch header.format {
        case .png: PNGHeader.mayBeClear(bytes, header)
        case .jpeg, .hdr: false
        case .bmp, .tga: header.channels.map { $0 == 2 || $0 == 4 } ?? true
        // A palette or a block may have a clear colour whatever their header counts.
        case .gif, .tiff, .dds, .ktx, .ktx2, .webp, .psd: true
        }
    }

    /// The pixels of an image of any format that is read, PNG and JPEG among them.
    static func raster(
        from bytes: [UInt8], header: ImageHeader, limits: ImageLimits
    ) throws(ImageFault) -> Raster {
        guard let decoder = header.format.header as? any ImageDecoder.Type else {
            throw .unsupported("such files are not decoded")
        }
        try limits.check(width: header.width, height: header.height, channels: 1)
        return try decoder.decode(bytes, header: header, limits: limits)
    }
}

// Why an image cannot be read, or be turned into PNG.
extension CodedFailure {
    /// What `body` returns, or what keeps an image of that format from being read.
    static func wrapping<Value>(
        _ format: ImageFormat, _ body: () throws(ImageFault) -> Value
    ) throws(CodedFailure) -> Value {
        do throws(ImageFault) { return try body() } catch { throw CodedFailure(format, error) }
    }

    /// - Parameter format: `nil` where it is not known.
    init(_ format: ImageFormat?, _ fault: ImageFault) {
        let name = format.map { "the \($0.rawValue) image" } ?? "the image"
        let text =
            switch fault {
            case .unsupported(let why): "\(name) is not read: \(why)"
            case .libraryMissing(let library, let package, let why):
                "\(name) needs \(library), which cannot be loaded (\(why)); on Debian it is the package \(package)"
            case .tooLarge(let width, let height, let limits):
                "\(name) has \(width) × \(height) pixels, above the limit of \(limits.side) a side, \(limits.bytes) bytes or \(limits.memory) bytes of memory"
            case .truncated: "the file of \(name) ends before its pixels, or after very few of them"
            case .invalid(let why): "\(name) is broken: \(why)"
            case .outOfMemory: "memory is short for \(name)"
            }
        self.init(fault.code, text)
    }
}

/// A format whose pixels are decoded.
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

    fileprivate var code: FindingCode {
        switch self {
        case .unsupported, .libraryMissing: .imageUnsupportedFormat
        case .tooLarge: .imageTooLarge
        case .truncated: .imageTruncated
        case .invalid, .outOfMemory: .imageDataInvalid
        }
    }
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
}

/// A library of the machine that is loaded when it is first needed.
struct SystemLibrary: Sendable {
    private let name: String
    private let package: String
    /// Why it cannot be used.
    private let trouble: String?

    /// Loads it: to be kept in a constant of a type, which is made at its first use, and once.
    ///
    /// - Parameters:
    ///   - package: As Debian calls it.
    ///   - load: Gives `nil`, or why it cannot be used.
    init(_ name: String, package: String, load: () -> UnsafePointer<CChar>?) {
        self.name = name
        self.package = package
        trouble = load().map { String(cString: $0) }
    }

    func load() throws(ImageFault) {
        if let trouble { throw .libraryMissing(library: name, package: package, why: trouble) }
    }
}

public import Diagnostics
public import ImageProbe

/// Why an image cannot be turned into PNG.
public struct ImageCodecError: CodedError, Equatable {
    /// `nil` where it is not known.
    public let format: ImageFormat?
    public let fault: ImageFault
    /// For the caller to fill in: bytes have no name.
    public var place = Place()

    init(_ format: ImageFormat?, _ fault: ImageFault) {
        self.format = format
        self.fault = fault
    }

    public var code: FindingCode {
        switch fault {
        case .unsupported, .libraryMissing: .imageUnsupportedFormat
        case .tooLarge: .imageTooLarge
        case .truncated: .imageTruncated
        case .invalid, .outOfMemory: .imageDataInvalid
        }
    }

    public var message: String {
        let name = format.map { "the \($0.rawValue) image" } ?? "the image"
        return switch fault {
        case .unsupported(let why): "\(name) is not read: \(why)"
        case .libraryMissing(let library, let package, let why):
            "\(name) needs \(library), which cannot be loaded (\(why)); on Debian it is the package \(package)"
        case .tooLarge(let width, let height, let limits):
            "\(name) has \(width) × \(height) pixels, above the limit of \(limits.side) a side or \(limits.bytes) bytes"
        case .truncated: "the file of \(name) ends before its first pixel"
        case .invalid(let why): "\(name) is broken: \(why)"
        case .outOfMemory: "memory is short for \(name)"
        }
    }
}

/// What keeps an image from being decoded. Texts are clauses without a full stop.
public enum ImageFault: Error, Sendable, Equatable {
    /// A format, or a kind of it, that nothing here reads.
    case unsupported(String)
    case libraryMissing(library: String, package: String, why: String)
    case tooLarge(width: Int, height: Int, limits: ImageLimits)
    /// The file ends before there is a pixel.
    case truncated
    case invalid(String)
    case outOfMemory
}

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
            "\(name) has \(width) × \(height) pixels, above the limit of \(limits.side) a side, \(limits.bytes) bytes or \(limits.memory) bytes of memory"
        case .truncated: "the file of \(name) ends before its pixels, or after very few of them"
        case .invalid(let why): "\(name) is broken: \(why)"
        case .outOfMemory: "memory is short for \(name)"
        }
    }
}

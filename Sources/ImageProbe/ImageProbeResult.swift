/// What the first bytes of a file show of the image in it.
public enum ImageProbeResult: Sendable, Equatable {
    /// The format and the size.
    case image(ImageHeader)
    /// The file ends inside its header, or its first few bytes are those of the format that its name promises.
    case truncated(ImageFormat)
    /// The size lies behind ``ImageProbe/budget``.
    case outOfReach(ImageFormat)
    /// The header contradicts its format.
    case invalid(ImageFormat, Fault)
    /// Bytes of no format that is known by its first bytes.
    case unrecognised
    /// No byte at all.
    case empty

    /// Why a header cannot be true.
    public enum Fault: String, Sendable, Equatable {
        /// Width or height is 0 (in a JPEG also a height that a later segment would tell).
        case zeroSize
        /// A side is longer than the format allows.
        case sizeTooLarge
        /// Parts of the header are missing or contradict each other.
        case brokenStructure
        /// Colour type, bit depth or number of components that the format does not have.
        case unknownPixels
        /// The pixels, or the end of the header, come before any size.
        case noHeader
    }
}

// MARK: - Questions

extension ImageProbeResult {
    public var format: ImageFormat? {
        switch self {
        case .image(let header): header.format
        case .truncated(let format), .outOfReach(let format), .invalid(let format, _): format
        case .unrecognised, .empty: nil
        }
    }

    /// `nil` unless the header was read and is sound.
    public var header: ImageHeader? {
        switch self {
        case .image(let header): header
        case .truncated, .outOfReach, .invalid, .unrecognised, .empty: nil
        }
    }
}

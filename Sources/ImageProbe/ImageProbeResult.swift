/// What the first bytes of a file show of the image in it.
public enum ImageProbeResult: Sendable, Hashable {
    /// The format and the size.
    case image(ImageHeader)
    /// The format; its size is not read.
    case recognised(ImageFormat)
    /// The file ends before the size.
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
    public enum Fault: String, Sendable, Hashable {
        /// Width or height is 0 (in a JPEG also a height that a later segment would tell).
        case zeroSize
        /// A side is longer than the format allows.
        case sizeTooLarge
        /// A PNG does not begin with its header chunk, or a segment of a JPEG is shorter than its own length field.
        case brokenStructure
        /// Colour type, bit depth or number of components that the format does not have.
        case unknownPixels
        /// The pixels begin before any size was told.
        case noHeader
    }
}

// MARK: - Questions

extension ImageProbeResult {
    public var format: ImageFormat? {
        switch self {
        case .image(let header): header.format
        case .recognised(let format), .truncated(let format), .outOfReach(let format), .invalid(let format, _): format
        case .unrecognised, .empty: nil
        }
    }

    /// `nil` unless the header was read and is sound.
    public var header: ImageHeader? {
        switch self {
        case .image(let header): header
        case .recognised, .truncated, .outOfReach, .invalid, .unrecognised, .empty: nil
        }
    }
}

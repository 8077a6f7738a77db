public import Diagnostics

/// A PNG file, and what it lacks of the file that it was made from.
public struct PNGImage: Sendable {
    /// Whether all pixels are those of the source.
    public enum Completeness: Sendable, Equatable {
        case whole
        /// The source ends before its last pixel.
        case cut
        /// Some of the source cannot be decoded; a clause says why.
        case damaged(String)
    }

    /// The file.
    public let bytes: [UInt8]
    /// Pixels.
    public let width: Int
    /// Pixels.
    public let height: Int
    /// 1 grey, 2 grey and alpha, 3 red, green, blue, 4 these and alpha; 8 bits each.
    public let channels: Int
    public let completeness: Completeness
}

extension PNGImage.Completeness {
    /// What to report; `nil` where nothing lacks.
    public var code: FindingCode? {
        switch self {
        case .whole: nil
        case .cut: .imageTruncated
        case .damaged: .imageDataInvalid
        }
    }
}

/// What keeps an image from being decoded. Texts are clauses without a full stop.
public enum ImageFault: Error, Sendable, Equatable {
    /// A format, or a kind of it, that nothing here reads.
    case unsupported(String)
    case libraryMissing(library: String, package: String, why: String)
    case tooLarge(width: Int, height: Int, limits: ImageLimits)
    /// The file ends before there is a pixel, or after less than one of 64.
    case truncated
    case invalid(String)
    case outOfMemory
}

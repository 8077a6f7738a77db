/// What a document may cost before it is refused. All are counted on the bytes before libxml2 sees them.
public struct XMLLimits: Sendable, Hashable {
    /// Elements within elements; the root is 1.
    public var depth = 256
    /// Attributes on one element: libxml2 compares them pairwise.
    public var attributes = 256
    /// Bytes of one tag.
    public var tagBytes = 1 << 20
    /// Bytes of one comment or processing instruction.
    public var commentBytes = 8 << 20
    /// Bytes of one text item outside number arrays; kept by whoever collects it.
    public var textBytes = 16 << 20

    public init() {}
}

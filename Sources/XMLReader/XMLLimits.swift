/// What a document may cost before it is refused. All but the names are counted on the bytes before libxml2 sees them.
public struct XMLLimits: Sendable, Hashable {
    /// Elements within elements; the root is 1.
    public var depth = 4096
    /// Attributes on one element: libxml2 compares them pairwise.
    public var attributes = 256
    /// Bytes of one tag.
    public var tagBytes = 1 << 20
    /// Bytes of one comment or processing instruction.
    public var commentBytes = 8 << 20
    /// Distinct names of elements, attributes and instructions, their prefixes and namespaces counted too: libxml2 keeps
    /// each, and from some tens of thousands on looks for one among more and more others. They are counted as a tag is
    /// told, so one tag's may be too many.
    public var names = 1 << 16
    /// Bytes of one text item outside number arrays; kept by whoever collects it.
    public var textBytes = 16 << 20

    public init() {}
}

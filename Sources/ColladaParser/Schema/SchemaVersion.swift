/// The two schemas of COLLADA. Documents of 1.4.0 are held against 1.4.1's, which says that it is theirs too.
public enum SchemaVersion: Sendable, Hashable, CaseIterable {
    case collada14, collada15

    /// The namespace of the schema's elements.
    public var namespace: String {
        switch self {
        case .collada14: "http://www.collada.org/2005/11/COLLADASchema"
        case .collada15: "http://www.collada.org/2008/03/COLLADASchema"
        }
    }
}

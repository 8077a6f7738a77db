/// Where in a bundle something stands. Every part is `nil` when it does not apply.
public struct Place: Sendable, Hashable {
    /// The entry's path in the bundle.
    public var entry: String?
    /// From 1.
    public var line: Int?
    /// From 1, in characters.
    public var column: Int?
    /// From 0, in the document as UTF-8.
    public var byte: Int64?
    /// The element's path, such as `/COLLADA/library_geometries/geometry[@id='g']`.
    public var path: String?
    /// The `id` of the element, or of the nearest around it that has one.
    public var elementID: String?
    /// Of several documents that are read into one, which; 0 is the first. Says no more than ``entry`` where that is
    /// known.
    public var document = 0

    public init(
        entry: String? = nil, line: Int? = nil, column: Int? = nil, byte: Int64? = nil, path: String? = nil,
        elementID: String? = nil
    ) {
        self.entry = entry
        self.line = line
        self.column = column
        self.byte = byte
        self.path = path
        self.elementID = elementID
    }

    /// The same place, in `entry` if none was known.
    public func within(entry: String?) -> Place {
        var place = self
        place.entry = place.entry ?? entry
        return place
    }
}

extension Place: CustomStringConvertible {
    /// `entry:line:column`, as far as known.
    public var description: String {
        var parts: [String] = []
        if let entry { parts.append(entry) }
        if let line {
            parts.append(String(line))
            if let column { parts.append(String(column)) }
        }
        return parts.joined(separator: ":")
    }
}

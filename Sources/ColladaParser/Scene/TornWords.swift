// Arrays of names are parted by spaces, and exporters write names that have spaces themselves.

/// Puts words together that belong to one name.
enum TornWords {
    /// Words that one name may have.
    private static let longest = 8

    /// The words as `count` names, or `nil` where that does not work out.
    ///
    /// - Parameter isKnown: Whether there is something of a name; the longest name that is known wins.
    /// - Complexity: linear in the words.
    static func join(_ words: [String], to count: Int, where isKnown: (String) -> Bool) -> [String]? {
        var names: [String] = []
        var at = 0
        while at < words.count {
            guard names.count < count else { return nil }
            let most = min(longest, words.count - at)
            let length =
                (1...most).reversed().first { isKnown(words[at..<at + $0].joined(separator: " ")) } ?? 1
            names.append(words[at..<at + length].joined(separator: " "))
            at += length
        }
        return names.count == count ? names : nil
    }
}

/// What arrays of names may mean; looked up only where words are torn, and then made once.
struct KnownNames: DocumentSharing {
    let shared: SharedDocument
    private var nodes: Set<String>?
    private var geometries: Set<String>?

    init(_ shared: SharedDocument) {
        self.shared = shared
    }

    mutating func isNode(_ name: String) -> Bool {
        if nodes == nil { nodes = Set(document.nodes.lazy.flatMap { [$0.sid, $0.id, $0.name].compactMap { $0 } }) }
        return nodes?.contains(name) ?? false
    }

    mutating func isGeometry(_ name: String) -> Bool {
        if geometries == nil { geometries = Set(document.geometries.compactMap(\.id)) }
        return geometries?.contains(name) ?? false
    }
}

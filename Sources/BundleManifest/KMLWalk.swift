/// The KML documents of a bundle in the order in which they lead to each other, as many as are read.
package struct KMLWalk {
    private let starts: [String]
    private var nextStart = 0
    private var waiting: [String] = []
    private var next = 0
    private var known: Set<String> = []
    /// Bytes of the documents to come.
    private var bytesLeft = mostBytes
    /// Whether there are more documents than are read.
    package private(set) var isCut = false

    /// Documents of one bundle that are read, and their bytes.
    package static let mostDocuments = 256
    package static let mostBytes = 64 << 20

    /// - Parameter starts: Documents to which nothing need lead; each comes after what those before it lead to.
    package init(_ starts: [String]) { self.starts = starts }

    /// The document that is to be read now.
    package mutating func path() -> String? {
        while next == waiting.count {
            guard nextStart < starts.count else { return nil }
            add(starts[nextStart])
            nextStart += 1
        }
        guard next < Self.mostDocuments else {
            isCut = true
            return nil
        }
        defer { next += 1 }
        return waiting[next]
    }

    /// A document to which the present one leads.
    package mutating func add(_ path: String) {
        // One more than is read says that there are more.
        guard waiting.count <= Self.mostDocuments, known.insert(path).inserted else { return }
        waiting.append(path)
    }

    /// The largest document that may be read now.
    package var limit: Int { bytesLeft }

    package mutating func take(bytes: Int) { bytesLeft -= min(bytes, bytesLeft) }

    /// The first document of an archive that is a KMZ.
    package static func start(among paths: some Sequence<String>) -> String? {
        var (folded, other): (String?, String?) = (nil, nil)
        for path in paths where path.utf8.count >= 4 {
            if path == "doc.kml" { return path }
            guard path.utf8.suffix(4).elementsEqual(".kml".utf8, by: { $0 | 0x20 == $1 || $0 == $1 }) else { continue }
            if folded == nil, path.lowercased() == "doc.kml" { folded = path }
            if other == nil { other = path }
        }
        return folded ?? other
    }
}

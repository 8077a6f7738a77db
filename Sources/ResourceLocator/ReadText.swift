import URIReference

/// One text that a reading makes of a reference, and where that leads. Several rules go by the same text.
struct ReadText {
    let text: String
    let anchor: PathAnchor
    /// Read against the document's folder; `nil` where it starts from elsewhere.
    let fromDocument: BundlePath.Target?
    /// Read against the bundle's top; `nil` where it does not belong there.
    let fromTop: BundlePath.Target?

    init(_ text: String, folder: String) {
        self.text = text
        anchor = PathAnchor(text)
        switch anchor {
        case .document(let path):
            let target = BundlePath.resolve(path, against: folder)
            fromDocument = target
            fromTop = folder.isEmpty ? target : BundlePath.resolve(path)
        case .top(let path):
            fromDocument = nil
            fromTop = BundlePath.resolve(path)
        case .drive, .scheme:
            fromDocument = nil
            fromTop = nil
        }
    }

    func target(from start: ResolutionRule.Start) -> BundlePath.Target? {
        switch start {
        case .document: fromDocument
        case .top: fromTop
        }
    }
}

/// What the path of a reference ends in: its last folders and its name, as far as they are no dots.
struct PathTail {
    private let path: String
    /// Where its parts begin in the path, by bytes, the last one first; at least one.
    private let starts: [Int]
    let name: String

    /// - Parameter most: Parts that are kept, the name among them.
    init?(_ read: ReadText, most: Int) {
        let path: String
        switch read.anchor {
        case .document(let rest), .top(let rest), .drive(let rest): path = rest
        case .scheme: path = URIReference(read.text).path
        }
        let bytes = path.utf8.span
        var starts: [Int] = []
        starts.reserveCapacity(most)
        var end = bytes.count
        while starts.count < most {
            var start = end
            while start > 0, bytes[start - 1] != UInt8(ascii: "/") { start -= 1 }
            if Self.isDots(bytes, start..<end) { break }
            starts.append(start)
            guard start > 0 else { break }
            end = start - 1
        }
        guard let last = starts.first else { return nil }
        self.path = path
        self.starts = starts
        name = Self.end(of: path, from: last)
    }

    /// Whether a part is `.`, `..` or empty.
    private static func isDots(_ bytes: Span<UInt8>, _ part: Range<Int>) -> Bool {
        guard part.count <= 2 else { return false }
        for index in part where bytes[index] != UInt8(ascii: ".") { return false }
        return true
    }

    /// How many parts it has.
    var count: Int { starts.count }

    /// Its last parts.
    func suffix(_ length: Int) -> String { Self.end(of: path, from: starts[length - 1]) }

    private static func end(of path: String, from start: Int) -> String {
        start == 0 ? path : String(Substring(path.utf8.dropFirst(start)))
    }

    func isSame(as other: PathTail) -> Bool { count == other.count && suffix(count) == other.suffix(count) }
}

/// When two paths are the same.
enum PathComparison {
    case bytes
    /// Composed and decomposed letters are the same.
    case canonical
    /// So are letters and what their UTF-8 looks like in an old code page.
    case mended
    /// Composed and decomposed letters are the same, and upper and lower case.
    case folded
}

/// Paths by a form of theirs in which several may be alike, built once.
struct PathForms: Sendable {
    private var first: [String: String] = [:]
    /// All paths of the forms that occur more than once, by their bytes.
    private(set) var shared: [String: [String]] = [:]

    /// - Parameter form: `nil` leaves a path out.
    init(_ paths: [String], form: (String) -> String?) {
        for path in paths {
            guard let form = form(path) else { continue }
            if let other = first[form] {
                shared[form, default: [other]].append(path)
            } else {
                first[form] = path
            }
        }
        shared = shared.compactMapValues { paths in
            let distinct = paths.sortedOnce()
            return distinct.count > 1 ? distinct : nil
        }
    }

    var isEmpty: Bool { first.isEmpty }

    func contains(_ form: String) -> Bool { first[form] != nil }

    func paths(of form: String) -> [String] { shared[form] ?? first[form].map { [$0] } ?? [] }
}

extension [String] {
    /// Sorted by bytes; what occurs twice stands once.
    func sortedOnce() -> [String] {
        var distinct: [String] = []
        distinct.reserveCapacity(count)
        for path in sorted(by: { $0.precedesByBytes($1) }) {
            if let last = distinct.last, last.hasBytes(of: path) { continue }
            distinct.append(path)
        }
        return distinct
    }

    /// The first index from which on the test holds, where it holds for all behind one.
    func firstIndex(halving holds: (String) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Of a list sorted by bytes, whether a path of it is below a folder.
    func hasPath(below folder: String) -> Bool {
        let start = firstIndex { !$0.precedesAll(below: folder) }
        return start < count && self[start].isBelow(folder)
    }

    /// Of a list sorted by bytes, at most `most` paths that begin with `prefix`.
    func prefixed(_ prefix: String, most: Int) -> ArraySlice<String> {
        let start = firstIndex { !$0.precedesByBytes(prefix) }
        let candidates = self[start...].prefix(most)
        return candidates.prefix { $0.hasBytePrefix(prefix) }
    }
}

extension String {
    var isASCII: Bool {
        let bytes = utf8.span
        for index in bytes.indices where bytes[index] >= 0x80 { return false }
        return true
    }
}

// Lower case alone is not enough: the upper case of `ß` is `SS`, and two small letters (`σ`, `ς`) may have one great.

extension String {
    /// A form that texts share which differ in upper and lower case alone, by Unicode's full case folding.
    ///
    /// A Turkish `İ` and `ı` are not folded: they are other letters than `i` and `I`.
    var caseFolded: String {
        if isSmallASCII { return self }
        if isASCII { return lowercased() }
        var folded = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if !scalar.properties.changesWhenCaseFolded || scalar == "\u{130}" {
                folded.append(scalar)
            } else {
                // Down first, since the great sharp s has no upper case of its own.
                folded.append(contentsOf: scalar.properties.lowercaseMapping.uppercased().lowercased().unicodeScalars)
            }
        }
        return String(folded)
    }

    private var isSmallASCII: Bool {
        let bytes = utf8.span
        for index in bytes.indices where bytes[index] >= 0x80 || bytes[index] &- UInt8(ascii: "A") < 26 { return false }
        return true
    }

    /// Where the last of some characters of ASCII stands.
    ///
    /// - Parameter bytes: The characters'. Of other text they are looked for by character: a letter's mark belongs to it.
    func lastIndex(ofAny bytes: [UInt8]) -> Index? {
        if isASCII { return utf8.lastIndex { bytes.contains($0) } }
        return lastIndex { $0.asciiValue.map(bytes.contains) ?? false }
    }
}

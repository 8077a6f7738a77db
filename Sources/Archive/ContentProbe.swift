import ByteSource

/// What a source is by its first bytes, whatever it is called.
enum Content: Hashable {
    case empty
    case archive
    case document
    case foreign(ForeignFormat)
    case unknown

    /// Bytes looked at; white space before the first tag may be long.
    static let probedBytes = 4096

    init(of source: any ByteSource) throws(ByteSourceError) {
        self.init(start: try source.bytes(at: 0, count: Self.probedBytes))
    }

    /// - Parameter bytes: The first ones, of which no more than ``probedBytes`` are looked at.
    init(start bytes: [UInt8]) {
        if bytes.first == UInt8(ascii: "<") {
            self = .document
            return
        }
        let start = bytes.count > Self.probedBytes ? Array(bytes[..<Self.probedBytes]) : bytes
        if start.isEmpty {
            self = .empty
        } else if ["PK\u{3}\u{4}", "PK\u{5}\u{6}", "PK\u{7}\u{8}"].contains(where: { start.starts(with: $0.utf8) }) {
            self = .archive
        } else if Self.opensTag(start) {
            self = .document
        } else if let format = ForeignFormat(start: start) {
            self = .foreign(format)
        } else {
            self = .unknown
        }
    }

    /// Whether the first character after a byte order mark and white space is `<`, in UTF-8 or UTF-16.
    private static func opensTag(_ start: [UInt8]) -> Bool {
        // Without a mark the first character is white space or `<`, so that its high byte is 0.
        if start.starts(with: [0xFF, 0xFE]) || start.dropFirst().first == 0 {
            return firstLetter(start, step: 2, low: 0) == UInt8(ascii: "<")
        }
        if start.starts(with: [0xFE, 0xFF]) || start.first == 0 {
            return firstLetter(start, step: 2, low: 1) == UInt8(ascii: "<")
        }
        return firstLetter(start, step: 1, low: 0) == UInt8(ascii: "<")
    }

    /// The first byte that is no white space, among those at `low`, `low + step`, …
    private static func firstLetter(_ start: [UInt8], step: Int, low: Int) -> UInt8? {
        var rest = start[...]
        for mark: [UInt8] in [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]] where rest.starts(with: mark) {
            rest = rest.dropFirst(mark.count)
            break
        }
        return stride(from: rest.startIndex + low, to: rest.endIndex, by: step).lazy
            .map { rest[$0] }
            .first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }
}

// RFC 9110, section 14. Several ranges in one request may be answered with the whole, and are.

/// Which bytes of a file are asked for.
enum ByteRange: Equatable {
    case whole
    case part(Range<Int64>)
    /// None of them is there.
    case unsatisfiable

    /// - Parameter header: What `Range` says; what is not understood asks for the whole.
    init(_ header: String?, of size: Int64) {
        guard let header, header.lowercased().hasPrefix("bytes="), !header.contains(",") else {
            self = .whole
            return
        }
        let parts = header.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            self = .whole
            return
        }
        self =
            switch (Self.number(parts[0]), Self.number(parts[1])) {
            case (.none, .none), (.malformed, _), (_, .malformed): .whole
            case (.number(let first), .none): Self.between(first, size, size)
            case (.number(let first), .number(let last)):
                last < first ? .whole : Self.between(first, min(last, size - 1) + 1, size)
            case (.none, .number(let count)):
                count == 0 ? .unsatisfiable : Self.between(max(0, size - count), size, size)
            }
    }

    private enum Bound {
        case none, malformed
        case number(Int64)
    }

    private static func number(_ text: Substring) -> Bound {
        if text.isEmpty { return .none }
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return .malformed }
        // More than any file has.
        return .number(Int64(text) ?? .max)
    }

    private static func between(_ first: Int64, _ end: Int64, _ size: Int64) -> ByteRange {
        first < size && first < end ? .part(first..<end) : .unsatisfiable
    }
}

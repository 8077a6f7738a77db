/// Where the pieces of markup stand that were scanned and not yet told of, in document order: events of libxml2 are
/// matched with these to get their place.
struct MarkupMarks {
    struct Mark {
        enum Kind {
            case start, empty, end
            /// A comment, an instruction, a document type, the opening or the end of a CDATA section.
            case other
        }
        let kind: Kind
        let start: XMLPosition
        /// Just behind its last byte.
        let end: XMLPosition
    }

    private var marks: [Mark] = []
    /// Of ``marks``, how many were taken.
    private var taken = 0

    mutating func append(_ mark: Mark) { marks.append(mark) }

    var first: Mark? { taken < marks.count ? marks[taken] : nil }

    /// The first one that a byte is in or just behind.
    func mark(around byte: Int64) -> Mark? {
        for mark in marks[taken...] {
            guard mark.start.byte <= byte else { return nil }
            if byte <= mark.end.byte { return mark }
        }
        return nil
    }

    mutating func popFirst() -> Mark? {
        guard let mark = first else { return nil }
        taken += 1
        if taken == marks.count {
            marks.removeAll(keepingCapacity: true)
            taken = 0
        }
        return mark
    }
}

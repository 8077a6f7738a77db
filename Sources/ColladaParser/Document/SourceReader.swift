// Accessors may leave out values before, between and behind those that count, and may read the array of another source
// of the same element. What they name is given without a copy where that is possible.

import SceneModel

/// Reads the sources of one element by their accessors.
struct SourceReader {
    private let sources: [ColladaDocument.Source]
    private let table: SourceTable
    /// Sources by the ids of their arrays.
    private let holders: [String: Int]

    init(_ sources: [ColladaDocument.Source]) {
        self.sources = sources
        table = SourceTable(sources)
        holders = SourceTable.holders(of: sources)
    }

    /// The words that an accessor names.
    struct Words {
        enum Kind {
            case names, idrefs, sidrefs
        }
        var kind = Kind.names
        var words: [String] = []
        /// All that the array holds, where that is more than the accessor counts: words that belong together may have
        /// been torn apart by spaces.
        var torn: [String] = []
    }

    func words(of input: ColladaDocument.Input?) -> Words {
        guard let source = input.flatMap({ table.source(of: $0) }) else { return Words() }
        let array = array(of: source)
        guard let all = array.words else { return Words() }
        let kind = array.wordKind
        guard let accessor = source.accessor else { return Words(kind: kind, words: all) }
        let lane = accessor.params.firstIndex { $0 != nil } ?? 0
        if accessor.offset == 0, lane == 0, accessor.stride == 1 {
            if accessor.count >= all.count { return Words(kind: kind, words: all) }
            return Words(kind: kind, words: Array(all.prefix(accessor.count)), torn: all)
        }
        var words: [String] = []
        var (at, overflow) = accessor.offset.addingReportingOverflow(lane)
        while words.count < accessor.count, !overflow, at < all.count {
            words.append(all[at])
            (at, overflow) = at.addingReportingOverflow(accessor.stride)
        }
        return Words(kind: kind, words: words)
    }

    /// One number an element: that of the first parameter with a name.
    func numbers(of input: ColladaDocument.Input?) -> NumberList? {
        guard let source = input.flatMap({ table.source(of: $0) }), case .reals(let values) = array(of: source) else {
            return nil
        }
        guard let accessor = source.accessor else { return NumberList(values) }
        let lane = accessor.params.firstIndex { $0 != nil } ?? 0
        let (offset, overflow) = accessor.offset.addingReportingOverflow(lane)
        return NumberList(
            values, offset: overflow ? .max : offset, stride: accessor.stride, count: accessor.count)
    }

    /// Matrices, 16 numbers each row by row; `nil` without numbers. Not all of them need be finite.
    func matrices(of input: ColladaDocument.Input?) -> [Matrix4]? {
        guard let source = input.flatMap({ table.source(of: $0) }), case .reals(let values) = array(of: source) else {
            return nil
        }
        let count = source.accessor?.count ?? .max
        // A stride left out is 1, which no matrix can have.
        let stride = max(16, source.accessor?.stride ?? 16)
        var matrices: [Matrix4] = []
        var at = source.accessor?.offset ?? 0
        while matrices.count < count, at <= values.count - 16, let matrix = Matrix4(rows: values[at..<at + 16]) {
            matrices.append(matrix)
            let (next, overflow) = at.addingReportingOverflow(stride)
            if overflow { break }
            at = next
        }
        return matrices
    }

    /// The array that a source's accessor reads: usually its own.
    private func array(of source: ColladaDocument.Source) -> ColladaDocument.Source.Values {
        switch source.accessor?.array {
        case nil, .own: return source.array
        case .at(let text):
            let id = text.hasPrefix("#") ? String(text.dropFirst()) : text
            if source.arrayID == id { return source.array }
            return holders[id].map { sources[$0].array } ?? source.array
        }
    }
}

extension ColladaDocument.Source.Values {
    fileprivate var wordKind: SourceReader.Words.Kind {
        switch self {
        case .names, .reals, .stored, .none: .names
        case .idrefs: .idrefs
        case .sidrefs: .sidrefs
        }
    }
}

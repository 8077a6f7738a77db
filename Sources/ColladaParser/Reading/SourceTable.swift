/// Sources by their ids, for where many inputs look among many sources: each look takes the same time.
struct SourceTable {
    /// Few are looked through one by one, which is quicker than to put them into a table.
    private var few: [ColladaDocument.Source] = []
    private var byID: [String: ColladaDocument.Source] = [:]

    private static let mostFew = 6

    /// Of sources with the same id the first is meant.
    init(_ sources: [ColladaDocument.Source]) {
        if sources.count <= Self.mostFew {
            few = sources
            return
        }
        for source in sources {
            if let id = source.id, byID[id] == nil { byID[id] = source }
        }
    }

    /// As ``ColladaDocument/source(of:in:)`` finds it.
    func source(of input: ColladaDocument.Input) -> ColladaDocument.Source? {
        let id = input.source.withoutHash
        return source(id) ?? source(id.percentDecoded)
    }

    private func source(_ id: String) -> ColladaDocument.Source? {
        few.first { $0.id == id } ?? byID[id]
    }
}

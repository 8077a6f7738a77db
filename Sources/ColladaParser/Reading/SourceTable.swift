/// Sources by their ids, for where many inputs look among many sources: each look takes the same time.
struct SourceTable {
    private var byID: [String: ColladaDocument.Source] = [:]

    /// Of sources with the same id the first is meant.
    init(_ sources: [ColladaDocument.Source]) {
        for source in sources {
            if let id = source.id, byID[id] == nil { byID[id] = source }
        }
    }

    /// As ``ColladaDocument/source(of:in:)`` finds it.
    func source(of input: ColladaDocument.Input) -> ColladaDocument.Source? {
        let id = input.source.withoutHash
        return byID[id] ?? byID[id.percentDecoded]
    }
}

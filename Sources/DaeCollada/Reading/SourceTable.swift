/// Sources by their ids, for where many inputs look among many sources: each look takes the same time.
struct SourceTable {
    private let sources: [ColladaDocument.Source]
    /// Empty where there are few: they are looked through one by one, which is quicker than to put them into a table.
    private var byID: [String: Int] = [:]

    private static let mostFew = 6

    /// Of sources with the same id the first is meant.
    init(_ sources: [ColladaDocument.Source]) {
        self.sources = sources
        guard sources.count > Self.mostFew else { return }
        for (place, source) in sources.enumerated() {
            if let id = source.id, byID[id] == nil { byID[id] = place }
        }
    }

    /// Sources by the ids of their arrays; of several with the same id the first is meant.
    static func holders(of sources: [ColladaDocument.Source]) -> [String: Int] {
        Dictionary(
            sources.indices.lazy.compactMap { place in sources[place].arrayID.map { ($0, place) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// As ``ColladaDocument/source(of:in:)`` finds it.
    func source(of input: ColladaDocument.Input) -> ColladaDocument.Source? { place(of: input).map { sources[$0] } }

    /// Of one of the sources, which is not copied for it.
    func array(at place: Int) -> ColladaDocument.Source.Values { sources[place].array }

    /// Of one of the sources, which is not copied for it.
    func accessor(at place: Int) -> ColladaDocument.Accessor? { sources[place].accessor }

    /// Which of the sources it is.
    func place(of input: ColladaDocument.Input) -> Int? {
        let id = input.source.withoutHash
        return place(id) ?? place(id.percentDecoded)
    }

    private func place(_ id: String) -> Int? {
        sources.count > Self.mostFew ? byID[id] : sources.firstIndex { $0.id == id }
    }
}

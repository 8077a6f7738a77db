// What the builders of a scene share, and how they follow references.

import DaeDiagnostics
import DaeScene
import DaeXML

/// The documents, the scene under construction, and what was wrong so far: handed to each builder for a step.
struct SceneContext: DocumentSharing {
    let shared: SharedDocument
    let options: ColladaOptions
    let limits: SearchLimits
    var table: ReferenceTable
    /// In which units and axes the documents are written.
    var systems = AssetSystems()
    var scene = Scene()
    var log = FindingLog()

    init(_ linked: consuming LinkedDocument, options: ColladaOptions, limits: SearchLimits) {
        shared = SharedDocument(linked)
        self.options = options
        self.limits = limits
        table = ReferenceTable(shared, options: options)
    }

    /// - Parameter what: What there are so many of.
    /// - Throws: ``ColladaError`` when these are more than there may be nodes.
    func checkLimit(_ count: Int, _ what: String) throws(ColladaError) {
        guard count > options.nodeLimit else { return }
        throw ColladaError(
            .sceneNodeCountExceeded,
            "instancing makes \(count == .max ? "too many" : String(count)) \(what); the most allowed is \(options.nodeLimit)"
        )
    }

    // MARK: - References

    /// The place of the element of a kind that a reference leads to; reported where that is of another kind, or not there.
    mutating func find(
        _ reference: ColladaDocument.Reference, _ kind: LibraryKind, else code: FindingCode = .refUnresolved
    ) -> Int? {
        guard let target = find(reference, [kind], severity: .error, else: code) else { return nil }
        if target.kind != kind { log.reportWrongType(reference, target, expected: [kind], in: table) }
        return target.index(of: kind)
    }

    /// - Parameters:
    ///   - expected: The kinds it may lead to. One of another is given all the same.
    ///   - code: Of what is reported where it leads nowhere.
    mutating func find(
        _ reference: ColladaDocument.Reference, _ expected: [LibraryKind], severity: Severity,
        else code: FindingCode = .refUnresolved
    ) -> ReferenceTable.Target? {
        guard !reference.isAbsent else { return nil }
        switch table.resolve(reference, expected, log: &log) {
        case .found(let target): return target
        case .missing:
            log.reportMissing(
                reference, code, expected: "the id of \(expected.words.withArticle)", severity: severity)
        case .external(let absence): log.report(absence, of: reference, severity: severity)
        }
        return nil
    }

}

extension LibraryElement {
    /// Where it is written, with its id.
    var place: Place { Place(position, of: id) }
}

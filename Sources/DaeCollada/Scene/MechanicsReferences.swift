// Where the references of physics and kinematics lead, reported by codes of their own.

import DaeDiagnostics
import DaeScene
import DaeXML

/// Follows the references of physics or kinematics, and has what was wrong with these and with what they are in.
struct MechanicsReferences {
    private var table: ReferenceTable
    private let code: FindingCode
    var log = FindingLog()

    /// - Parameter code: Of a reference that leads nowhere.
    init(_ table: ReferenceTable, code: FindingCode) {
        self.table = table
        self.code = code
    }

    /// The place of an element in the document's list of its kind.
    mutating func find(_ reference: ColladaDocument.Reference, _ kind: LibraryKind, code: FindingCode? = nil) -> Int? {
        guard !reference.isAbsent else { return nil }
        switch table.resolve(reference, [kind], log: &log) {
        case .found(let target):
            if target.kind != kind { log.reportWrongType(reference, target, expected: [kind], in: table) }
            return target.index(of: kind)
        case .missing: report(code ?? self.code, reference, expected: kind.element)
        case .external(let absence): log.report(absence, of: reference, severity: .warning)
        }
        return nil
    }

    mutating func node(_ reference: ColladaDocument.Reference?) -> SceneIndex<Node>? {
        // Exporters leave it empty for what stands still.
        guard let reference, !reference.text.isEmpty else { return nil }
        return find(reference, .node).map { SceneIndex($0) }
    }

    mutating func geometry(_ reference: ColladaDocument.Reference) -> SceneIndex<Geometry>? {
        find(reference, .geometry).map { SceneIndex($0) }
    }

    /// The node of an id in the document that a reference leads into, without reporting when there is none.
    func node(id: String, of reference: ColladaDocument.Reference) -> Int? {
        table.document(of: reference).flatMap { table.lookUp(id, in: $0, .node) }
    }

    /// The document that a reference leads into; `nil` for one that was not read.
    func document(of reference: ColladaDocument.Reference) -> Int? { table.document(of: reference) }

    mutating func report(_ code: FindingCode, _ reference: ColladaDocument.Reference, expected: String) {
        guard !reference.isAbsent else { return }
        log.reportMissing(reference, code, expected: expected.withArticle)
    }
}

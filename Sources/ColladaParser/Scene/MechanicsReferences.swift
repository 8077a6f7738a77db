// Where the references of physics and kinematics lead, told by codes of their own.

import Diagnostics
import SceneModel
import XMLReader

struct MechanicsReferences {
    private var table: ReferenceTable
    private let code: FindingCode
    var log = FindingLog()

    /// - Parameter code: Of a reference that leads nowhere.
    init(_ table: ReferenceTable, code: FindingCode) {
        self.table = table
        self.code = code
    }

    /// The place of an element of physics or kinematics in the document's list of its kind.
    mutating func find(_ reference: ColladaDocument.Reference, _ element: String, code: FindingCode? = nil) -> Int? {
        switch target(reference, element, code: code ?? self.code) {
        case .mechanics(let target): target.index
        case .geometry, .controller, .effect, .material, .image, .camera, .light, .node, .visualScene, .animation,
            .animationClip, nil:
            nil
        }
    }

    mutating func node(_ reference: ColladaDocument.Reference?) -> SceneIndex<Node>? {
        // Exporters leave it empty for what stands still.
        guard let reference, !reference.text.isEmpty else { return nil }
        guard case .node(let node)? = target(reference, "node", code: code) else { return nil }
        return SceneIndex(node)
    }

    mutating func geometry(_ reference: ColladaDocument.Reference) -> SceneIndex<Geometry>? {
        guard case .geometry(let geometry)? = target(reference, "geometry", code: code) else { return nil }
        return SceneIndex(geometry)
    }

    /// The node of an id in the document that a reference leads into, without telling when there is none.
    func node(id: String, of reference: ColladaDocument.Reference) -> Int? {
        guard let document = table.document(of: reference),
            case .node(let node)? = table.lookUp(id, in: document, where: { $0.element == "node" })
        else { return nil }
        return node
    }

    /// The document that a reference leads into; `nil` for one that was not read.
    func document(of reference: ColladaDocument.Reference) -> Int? { table.document(of: reference) }

    private mutating func target(
        _ reference: ColladaDocument.Reference, _ element: String, code: FindingCode
    ) -> ReferenceTable.Target? {
        guard !reference.isAbsent else { return nil }
        switch table.resolve(reference, [element], log: &log) {
        case .found(let target):
            if target.element == element { return target }
            log.add(
                .refWrongType, at: Place(reference.position),
                "\(reference.text.quoted()) leads to \(target.element.withArticle); expected \(element.withArticle)",
                arguments: [.init("reference", reference.text), .init("element", target.element)],
                related: [table.place(of: target)])
        case .missing: tell(code, reference, expected: element)
        case .external(let absence): log.tell(absence, of: reference, severity: .warning)
        }
        return nil
    }

    mutating func tell(_ code: FindingCode, _ reference: ColladaDocument.Reference, expected: String) {
        guard !reference.isAbsent else { return }
        log.add(
            code, at: Place(reference.position),
            "\(reference.text.quoted()) leads to nothing; expected \(expected.withArticle)",
            arguments: [.init("reference", reference.text)])
    }
}

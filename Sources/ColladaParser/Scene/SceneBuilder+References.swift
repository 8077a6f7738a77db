// Where references lead.

import Diagnostics
import SceneModel
import XMLReader

extension SceneBuilder {
    /// - Parameter expected: The elements it may lead to. Another one is given all the same.
    mutating func find(
        _ reference: ColladaDocument.Reference, _ expected: [String], severity: Severity
    ) -> ReferenceTable.Target? {
        let result = table.resolve(reference, where: { expected.contains($0.element) }, log: &log)
        switch result {
        case .found(let target): return target
        case .missing:
            log.add(
                .refUnresolved, at: Place(reference.position),
                "\(reference.text.prefix(200).debugDescription) leads to nothing; expected the id of a \(expected.joined(separator: " or "))",
                arguments: [.init("reference", reference.text)], severity: severity)
        case .external:
            log.add(
                .refExternalUnresolved, at: Place(reference.position),
                "\(reference.text.prefix(200).debugDescription) is in another document, which was not read",
                arguments: [.init("reference", reference.text)], severity: severity)
        }
        return nil
    }

    mutating func tellWrongType(
        _ reference: ColladaDocument.Reference, _ target: ReferenceTable.Target, expected: String
    ) {
        log.add(
            .refWrongType, at: Place(reference.position),
            "\(reference.text.prefix(200).debugDescription) leads to a \(target.element); expected a \(expected)",
            arguments: [.init("reference", reference.text), .init("element", target.element)])
    }
}

// What the root says, and the values that every family reads: references, names and numbers.

import DaeDiagnostics
import DaeNumbers
import DaeSchema
import DaeXML

extension DocumentReader {
    // MARK: - The root

    private static let namespaces = [
        "1.4": "http://www.collada.org/2005/11/COLLADASchema", "1.5": "http://www.collada.org/2008/03/COLLADASchema",
    ]
    private static let versions: Set<String> = ["1.4.0", "1.4.1", "1.5.0"]

    mutating func readRoot(_ view: ElementView, namespace: String?) {
        let version = view.attribute(.version)
        document.version = version
        document.namespace = namespace
        if version.map({ !Self.versions.contains($0) }) ?? true {
            log.add(
                .docVersionUnsupported, at: view.place,
                "the version is \(version?.quoted(40) ?? "missing"); expected 1.4.0, 1.4.1 or 1.5.0",
                arguments: [.init("version", version ?? "")])
        }
        guard let namespace, Self.namespaces.values.contains(namespace) else {
            log.add(
                .docNamespaceUnexpected, at: view.place,
                "the namespace is \(namespace?.quoted() ?? "missing"); expected that of COLLADA 1.4 or 1.5",
                arguments: [.init("namespace", namespace ?? "")])
            return
        }
        if let version, let expected = Self.namespaces[String(version.prefix(3))], expected != namespace {
            log.add(
                .docVersionNamespaceMismatch, at: view.place,
                "the version is \(version.prefix(40)), but the namespace is \(namespace)")
        }
    }

    // MARK: - Shared

    mutating func reference(_ view: ElementView, _ attribute: AttributeName) -> ColladaDocument.Reference? {
        guard let text = view.bytes(of: attribute)?.trimmed else { return nil }
        var reference = ColladaDocument.Reference(xml: text, position: view.position, among: &texts)
        if !repairs, attribute.isAddress(of: view.name) { reference = reference.refusedWithoutHash }
        // The sources of data lie within their document; only skins and morphs have a source that is an element.
        if attribute != .source || view.name == .skin || view.name == .morph { note(reference) }
        return reference
    }

    /// An attribute whose value stands elsewhere too, as an id does in what refers to it; `nil` without it.
    mutating func common(_ attribute: AttributeName, of view: ElementView) -> String? {
        view.bytes(of: attribute).map { texts.text($0) }
    }

    /// An element's name, which many exporters write as its id, too; it then shares its memory.
    mutating func name(of view: ElementView, id: String?) -> String? {
        if let id, view.says(.name, id) { id } else { view.attribute(.name) }
    }

    /// A whole number in an attribute; reported where there is a text that is none.
    mutating func integer(_ view: ElementView, _ attribute: AttributeName) -> Int? {
        if let number = view.integer(attribute) { return number }
        if let text = view.attribute(attribute) {
            log.add(
                .schemaInvalidNumber, at: view.place,
                "the \(attribute.rawValue) of <\(view.name.rawValue)> is \(text.quoted(40)); expected a whole number; read as if it were not given",
                arguments: [.init("attribute", attribute.rawValue), .init("text", text)])
        }
        return nil
    }

    mutating func reportMissing(_ attribute: AttributeName, of view: ElementView) {
        log.add(
            .schemaMissingAttribute, at: view.place,
            "<\(view.name.rawValue)> has no \(attribute.rawValue) attribute",
            arguments: [.init("attribute", attribute.rawValue)])
    }

    /// A reference that must be there: reported when it is not, and then empty.
    mutating func requiredReference(_ view: ElementView, _ attribute: AttributeName) -> ColladaDocument.Reference {
        if let reference = reference(view, attribute) { return reference }
        reportMissing(attribute, of: view)
        return .absent(at: view.position)
    }

    /// The numbers in an element's text, reported when they are not `count` or not finite; `nil` when they cannot be used:
    /// one that is none would spoil all that it is combined with.
    ///
    /// The array is used again where its holder lets go of it before the next call.
    mutating func numbers(in view: ElementView, count: Int) -> [Double]? {
        if let text = view.paddedText, NumberText.readFew(text, into: &fewNumbers), fewNumbers.count == count {
            return fewNumbers
        }
        return oddNumbers(in: view, count: count)
    }

    private mutating func oddNumbers(in view: ElementView, count: Int) -> [Double]? {
        few.decode(view.trimmedBytes)
        few.finish(expectedCount: repairs ? count : nil)
        for issue in few.issues { add(issue, at: view.place) }
        let values = few.takeValues()
        guard values.count == count else {
            log.add(
                .schemaListLength, at: view.place,
                "<\(view.name.rawValue)> has \(values.count) values; expected \(count)",
                arguments: [.init("values", "\(values.count)"), .init("expected", "\(count)")])
            return nil
        }
        return values.allSatisfy(\.isFinite) ? values : nil
    }

    /// The one number in an element's text.
    mutating func number(in view: ElementView?) -> Double? {
        guard let view else { return nil }
        return numbers(in: view, count: 1)?.first
    }
}

import DaeDiagnostics
import DaeSchema

/// Reads what the root element says: the version and the namespace.
enum RootReader {
    private static let namespaces = [
        "1.4": "http://www.collada.org/2005/11/COLLADASchema", "1.5": "http://www.collada.org/2008/03/COLLADASchema",
    ]
    private static let versions: Set<String> = ["1.4.0", "1.4.1", "1.5.0"]

    static func readRoot(
        _ view: ElementView, namespace: String?, _ context: inout ReadingContext, into document: inout ColladaDocument
    ) {
        let version = view.attribute(.version)
        document.version = version
        document.namespace = namespace
        context.noteVersion(version)
        if version.map({ !Self.versions.contains($0) }) ?? true {
            context.log.add(
                .docVersionUnsupported, at: view.place,
                "the version is \(version?.quoted(40) ?? "missing"); expected 1.4.0, 1.4.1 or 1.5.0",
                arguments: [.init("version", version ?? "")])
        }
        guard let namespace, Self.namespaces.values.contains(namespace) else {
            context.log.add(
                .docNamespaceUnexpected, at: view.place,
                "the namespace is \(namespace?.quoted() ?? "missing"); expected that of COLLADA 1.4 or 1.5",
                arguments: [.init("namespace", namespace ?? "")])
            return
        }
        if let version, let expected = Self.namespaces[String(version.prefix(3))], expected != namespace {
            context.log.add(
                .docVersionNamespaceMismatch, at: view.place,
                "the version is \(version.prefix(40)), but the namespace is \(namespace)")
        }
    }
}

import DaeDiagnostics
import DaeMesh
import DaeScene

/// Where prims, images and what becomes of a scene go.
struct USDOutput {
    var crate: CrateWriter
    var package: USDZPackage
    var report = FidelityReport()
    var scopes = USDScopes()

    init(_ prepared: PreparedScene, to target: ExportTarget) throws(SceneExportError) {
        let limit = max(0, min(prepared.options.byteLimit, Int(UInt32.max) - 1))
        crate = try CrateWriter(beside: target.path, limit: limit, prepared.budget)
        package = try USDZPackage(to: target, limit: limit, prepared.budget)
    }
}

/// Where below the root what several nodes use is.
struct USDScopes {
    private(set) var root = CrateWriter.root
    private(set) var materials = CrateWriter.root
    private(set) var skeletons = CrateWriter.root
    private(set) var prototypes = CrateWriter.root

    init() {}

    /// - Parameter names: Of what else is below the root.
    init(_ crate: inout CrateWriter, _ root: CrateWriter.Path, _ names: inout USDNames) {
        self.root = root
        materials = crate.declare(names.unique("Materials"), in: root)
        skeletons = crate.declare(names.unique("Skeletons"), in: root)
        prototypes = crate.declare(names.unique("Prototypes"), in: root)
    }
}

extension CrateWriter {
    /// Keeps what the document calls something that is written under another name.
    mutating func putNames(_ text: String?, as name: String, id: String?, sid: String?) throws(SceneExportError) {
        if let text, text != name { put("displayName", value(string: text)) }
        var entries: [(key: String, value: CrateValue)] = []
        if let id { entries.append(("id", value(string: id))) }
        if let sid { entries.append(("sid", value(string: sid))) }
        if !entries.isEmpty { put("customData", try dictionary(entries)) }
    }
}

extension SceneExportError {
    static func tooLarge(_ format: ExportFormat, _ limit: Int) -> SceneExportError {
        SceneExportError(
            .convertTooLarge,
            "the .\(format.ending) would have more than the \(limit) bytes it may have at most: write a .gltf")
    }
}

// Textures of real models: what is there is found, what was missing where the model comes from is called missing.

import DaeArchive
import DaeDiagnostics
import DaePipeline
import DaeResources
import TestSupport
import Testing

@Suite(.enabled(if: Repository.corpus != nil, "the corpus of real models is not here"))
struct CorpusTextureTests {
    /// Models whose textures differ from the manifest, and why.
    private static let exceptions = [
        "gazebo-models/pulley_part/meshes/pulley.dae": "the reference that the manifest counts stands in a comment",
        "gazebo-models/u_joint_part/meshes/u_joint.dae": "the reference that the manifest counts stands in a comment",
        "threejs-2012/collada/monster/monster.dae": "the manifest counts the image's id in a surface, too",
    ]

    @Test func texturesThatAreThereAreFoundAndThoseThatAreNotAreMissing() throws {
        let corpus = try #require(Repository.corpus)
        let present = Set(try Repository.table(corpus + "/TEXTURES.tsv").compactMap { $0["path"] })
        var found = 0
        var missing = 0
        var models = 0
        for row in try Repository.table(corpus + "/MANIFEST.tsv") {
            let path = try #require(row["path"])
            let expected = Int(row["textures_found"] ?? "") ?? 0
            let absent = Self.names(row["textures_missing"] ?? "")
            guard expected > 0 || !absent.isEmpty else { continue }
            let images = try Self.images(corpus + "/" + path)
            models += 1
            let problems = Self.problems(images, expected: expected, absent: absent, below: path, present)
            if Self.exceptions[path] == nil {
                #expect(problems.isEmpty, "\(path): \(problems)")
            } else {
                #expect(!problems.isEmpty, "\(path) is no exception any more")
            }
            found += Set(images.filter { $0.status == .found }.compactMap(\.reference)).count
            missing += absent.count
        }
        print("\(models) models with textures; found: \(found), missing as in the manifest: \(missing)")
        #expect(models > 50 && found > 100)
    }

    private static func problems(
        _ images: [Inspection.ImageRow], expected: Int, absent: [String], below model: String, _ present: Set<String>
    ) -> [String] {
        let found = images.filter { $0.status == .found }
        var problems: [String] = []
        let references = Set(found.compactMap(\.reference))
        if references.count < expected { problems.append("\(references.count) of \(expected) found") }
        for path in found.compactMap(\.path) where model.lowercased().hasSuffix(".dae") {
            let file = Self.path(path, beside: model)
            if !present.contains(file) { problems.append("\(file) is no texture of the corpus") }
        }
        for reference in absent {
            let rows = images.filter { $0.reference?.contains(reference) ?? false }
            if rows.isEmpty { problems.append("\(reference) is not named") }
            for row in rows where row.status != .missing {
                problems.append("\(reference) is \(row.status.rawValue) \(row.path ?? "") \(row.rule?.rawValue ?? "")")
            }
        }
        return problems
    }

    private static func path(_ path: String, beside model: String) -> String {
        var parts = model.split(separator: "/").dropLast()
        for part in path.split(separator: "/") {
            if part == ".." { parts.removeLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }

    /// The references of a cell; what the corpus left out for its size is missing here, too.
    private static func names(_ cell: String) -> [String] {
        cell.split(separator: ";").map { part in
            let name = part.drop { $0 == " " }
            return String(name.firstRange(of: " [omitted").map { name[..<$0.lowerBound] } ?? name)
        }
    }

    /// As the command line looks at them.
    private static func images(_ path: String) throws -> [Inspection.ImageRow] {
        let bundle = try Bundle.open(path: path)
        var inspector = Inspector()
        inspector.policy = .hostPaths([])
        inspector.loneDocument = try LoneDocument.locate(path)
        let choice = try BundleManifest.scene(of: bundle).choice
        return try inspector.inspect(bundle, choice, input: path).inspection.images
    }
}

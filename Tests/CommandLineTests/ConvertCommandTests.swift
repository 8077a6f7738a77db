import FoundationEssentials
import TestSupport
import Testing

@Suite struct ConvertCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func bundle(_ name: String) -> String { Repository.fixtures + "/bundles/" + name }

    /// What lies in the folder.
    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }

    /// The JSON of a `.glb`.
    private func text(of path: String) throws -> JSONNode {
        let bytes = try Repository.bytes(at: path)
        try #require(Array(bytes.prefix(4)) == Array("glTF".utf8))
        let length = (0..<4).reduce(0) { $0 | Int(bytes[12 + $1]) << (8 * $1) }
        return try JSONNode(parsing: Array(bytes[20..<20 + length]))
    }

    @Test func aBundleBecomesOneFileWithItsTextures() throws {
        let output = folder.path + "/chair.glb"
        let outcome = try Program.run(["convert", bundle("chair.zip"), "-o", output])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.text.hasPrefix(output) && outcome.text.contains("triangulated"))
        let root = try text(of: output)
        #expect(root["asset"]?["version"] == "2.0")
        #expect(root["images"]?.elements.map { $0["mimeType"]?.string } == ["image/png", "image/jpeg"])
        // Four legs are one mesh.
        let meshes = root["nodes"]?.elements.compactMap { $0["mesh"]?.number } ?? []
        #expect(meshes.count == 6 && Set(meshes).count == 3, "\(meshes)")
    }

    @Test func aTextHasItsNumbersBesideIt() throws {
        let output = folder.path + "/the chair.gltf"
        #expect(try Program.run(["convert", "-q", bundle("chair.zip"), "-o", output]).text == "")
        let root = try JSONNode(parsing: Repository.bytes(at: output))
        let buffer = try #require(root["buffers"]?.elements.first)
        #expect(buffer["uri"] == "the%20chair.bin")
        #expect(buffer["byteLength"]?.number == Double(try Repository.bytes(at: folder.path + "/the chair.bin").count))
    }

    @Test func whatWouldBeLostIsProtected() throws {
        let output = try folder.write("as before", to: "walker.glb")
        let outcome = try Program.run(["convert", "--lossless", bundle("walker.zip"), "-o", output])
        #expect(outcome.code == 7 && outcome.errors.contains("[CONVERT_LOSS]"))
        #expect(try Repository.bytes(at: output) == Array("as before".utf8))
        #expect(names == ["walker.glb"])
    }

    @Test func aSceneIsChosenByItsNameOrId() throws {
        let source = Repository.fixtures + "/rules/SCENE_MULTIPLE_VISUAL_SCENES.dae"
        let output = folder.path + "/out.glb"
        #expect(try Program.run(["convert", source, "-o", output, "--scene", "shown"]).code == 0)
        let hidden = try Program.run(["convert", source, "-o", output, "--scene", "hidden"])
        #expect(hidden.code == 5 && hidden.errors.contains("[CONVERT_NOTHING_DRAWABLE]"), "\(hidden.errors)")
        let unknown = try Program.run(["convert", source, "-o", output, "--scene", "other"])
        #expect(unknown.code == 5 && unknown.errors.contains("\"other\""), "\(unknown.errors)")
        #expect(unknown.errors.contains("\"shown\", \"hidden\""), "\(unknown.errors)")
    }

    @Test func aMomentHasNoAnimation() throws {
        let output = folder.path + "/walker.glb"
        #expect(try Program.run(["convert", bundle("walker.zip"), "-o", output]).code == 0)
        #expect(try text(of: output)["animations"] != nil)
        let posed = try Program.run(["convert", bundle("walker.zip"), "-o", output, "--time", "0.5"])
        #expect(posed.code == 0 && posed.text.contains("pose"), "\(posed.errors)")
        #expect(try text(of: output)["animations"] == nil && text(of: output)["skins"] != nil)
    }

    @Test func theReportIsJSON() throws {
        let report = folder.path + "/report.json"
        let arguments = ["convert", bundle("walker.zip"), "-o", folder.path + "/walker.glb", "--report", report]
        #expect(try Program.run(arguments).code == 0)
        let root = try JSONNode(parsing: Repository.bytes(at: report))
        #expect(root["isLossless"] == false)
        let shading = try #require(root["changes"]?.elements.first { $0["subject"] == "shading" })
        #expect(shading["change"] == "approximated" && shading["count"] == 2 && shading["places"]?.elements.count == 2)
    }

    @Test func wrongUseAndBadInputEndWithTheirCodesAndLeaveNothing() throws {
        let output = folder.path + "/out.glb"
        #expect(try Program.run(["convert", bundle("chair.zip")]).code == 64)
        #expect(try Program.run(["convert", bundle("chair.zip"), "-o", folder.path + "/out.obj"]).code == 64)
        #expect(try Program.run(["convert", bundle("chair.zip"), "-o", output, "--influences", "5"]).code == 64)
        let wrong = [
            ["--units", "feet"], ["--up", "W"], ["--fps", "0"], ["--fps", "1001"], ["--time", "nan"], ["--scene", ""],
        ]
        for arguments in wrong {
            let outcome = try Program.run(["convert", bundle("chair.zip"), "-o", output] + arguments)
            #expect(outcome.code == 64 && outcome.errors.contains("expected"), "\(arguments): \(outcome.errors)")
        }
        #expect(try Program.run(["convert", folder.path + "/missing.dae", "-o", output]).code == 3)
        let empty = try Program.run(["convert", Repository.fixtures + "/documents/cameras.dae", "-o", output])
        #expect(empty.code == 5 && empty.errors.contains("[CONVERT_NOTHING_DRAWABLE]"), "\(empty.errors)")
        let nowhere = try Program.run(["convert", bundle("chair.zip"), "-o", folder.path + "/no/out.glb"])
        #expect(nowhere.code == 73, "\(nowhere.errors)")
        #expect(names == [])
    }

    @Test func theReportOfWhatWouldBeLostIsWrittenAllTheSame() throws {
        let (output, report) = (folder.path + "/walker.glb", folder.path + "/report.json")
        let outcome = try Program.run(
            ["convert", "--lossless", bundle("walker.zip"), "-o", output, "--report", report])
        #expect(outcome.code == 7 && names == ["report.json"])
        #expect(try JSONNode(parsing: Repository.bytes(at: report))["isLossless"] == false)
    }

    @Test(arguments: [("a.glb", "a.glb"), ("a.glb", "./a.glb"), ("a.gltf", "a.bin"), ("a.glb", "link.json")])
    func theReportIsNoFileOfTheOutput(_ output: String, _ report: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link.json", withDestinationPath: folder.path + "/a.glb")
        _ = try folder.write("as before", to: "a.glb")
        let outcome = try Program.run(
            ["convert", bundle("chair.zip"), "-o", folder.path + "/" + output, "--report", folder.path + "/" + report])
        #expect(outcome.code == 64 && outcome.errors.contains("--report"), "\(outcome.errors)")
        #expect(try Repository.bytes(at: folder.path + "/a.glb") == Array("as before".utf8))
    }
}

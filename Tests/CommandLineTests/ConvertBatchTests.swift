import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Where models go: by the arguments, and many of them below a folder.
@Suite struct ConvertBatchTests {
    private let folder: TemporaryFolder
    private let chair = Repository.fixtures + "/bundles/chair.zip"
    private let document = Repository.fixtures + "/documents/polygons.dae"

    init() throws {
        folder = try TemporaryFolder()
    }

    private func convert(_ arguments: [String]) throws -> Program.Outcome {
        try Program.run(["convert"] + arguments, folder: folder.path)
    }

    private var files: Set<String> {
        let all = (try? Repository.files(below: folder.path)) ?? []
        return Set(all.filter { !FileManager.default.isFolder(folder.path + "/" + $0) })
    }

    /// A folder of models, one of them broken.
    private func models() throws {
        try folder.write(try Repository.bytes(at: document), to: "in/a.dae")
        try folder.write(try Repository.bytes(at: document), to: "in/deep/b.dae")
        try folder.write("<COLLADA", to: "in/broken.dae")
    }

    // MARK: - One model

    @Test func theOutputIsTheLastArgumentOrNamedAfterTheSource() throws {
        #expect(try convert([chair]).code == 0 && files == ["chair.glb"])
        #expect(try convert([chair, "seat.stl"]).code == 0 && files == ["chair.glb", "seat.stl"])
        #expect(try convert(["-q", "--to", "ply", chair]).code == 0)
        #expect(files == ["chair.glb", "seat.stl", "chair.ply"])
        let refused = try convert([chair, "seat.stl"])
        #expect(refused.code == 73 && refused.errors == "dae: seat.stl: a file is there; --force replaces it\n")
    }

    @Test func standardOutputIsTheModelAloneAndTheReportIsToldBesideIt() throws {
        #expect(try convert(["-q", chair, "a.stl"]).code == 0)
        let outcome = try convert([chair, "--to", "stl", "-o", "-"])
        let model = try Repository.bytes(at: folder.path + "/a.stl")
        #expect(outcome.code == 0 && outcome.output == model)
        #expect(outcome.errors.hasPrefix("standard output   "), "\(outcome.errors)")
    }

    @Test func texturesThatOthersMadeStay() throws {
        try folder.write("mine", to: "chair-oak-wood.png")
        let refused = try convert([chair, "chair.gltf"])
        #expect(refused.code == 73 && refused.errors.contains("chair-oak-wood.png: a file is there; --force"))
        #expect(files == ["chair-oak-wood.png"])
        #expect(try convert(["--force", chair, "chair.gltf"]).code == 0)
        #expect(files == ["chair.gltf", "chair.bin", "chair-oak-wood.png", "chair-fabric.jpg"])
    }

    @Test func whatAFormatCannotHoldIsProtected() throws {
        let outcome = try convert(["--lossless", Repository.fixtures + "/bundles/walker.zip", "walker.stl"])
        #expect(outcome.code == 7 && outcome.errors.contains("[CONVERT_LOSS]") && files == [])
    }

    // MARK: - Many models

    @Test func foldersKeepTheirPathsAndOneFailureStopsNothing() throws {
        try models()
        let outcome = try convert(["in", chair, "-o", "out/", "--to", "obj", "--report", "r.jsonl"])
        #expect(outcome.code == 5 && outcome.errors.contains("in/broken.dae"), "\(outcome.errors)")
        let made = files.filter { $0.hasPrefix("out/") && !$0.hasSuffix(".mtl") }
        #expect(
            made == [
                "out/a.obj", "out/deep/b.obj", "out/chair.obj", "out/chair-oak-wood.png", "out/chair-fabric.jpg",
            ])
        let lines = outcome.text.split(separator: "\n")
        #expect(lines.count == 4 && lines.last == "4 models: 3 written, 1 failed", "\(outcome.text)")
        let reports = try Repository.bytes(at: folder.path + "/r.jsonl").split(separator: UInt8(ascii: "\n"))
            .map { try JSONNode(parsing: Array($0)) }
        #expect(reports.map { $0["source"]?.string } == ["in/a.dae", "in/broken.dae", "in/deep/b.dae", chair])
        #expect(reports.map { $0["status"]?.string } == ["written", "failed", "written", "written"])
        #expect(reports[0]["output"] == "out/a.obj" && reports[0]["fidelity"]?["changes"] != nil)
        #expect(reports[1]["code"]?.string != nil && reports[1]["message"]?.string != nil)
    }

    @Test func outputsOfOneNameAreRefusedBeforeAnythingIsWritten() throws {
        try models()
        let outcome = try convert(["in/a.dae", "in/deep/b.dae", "in/a.dae", "-o", "out/"])
        #expect(outcome.code == 64 && outcome.errors.contains("would both be a.glb"), "\(outcome.errors)")
        #expect(!files.contains { $0.hasPrefix("out/") })
        let file = try convert(["in/a.dae", "in/deep/b.dae", "-o", "out.glb"])
        #expect(file.code == 64 && file.errors.contains("expected a folder"), "\(file.errors)")
        let nowhere = try convert(["in/a.dae", "in/deep/b.dae"])
        #expect(nowhere.code == 64 && nowhere.errors.contains("FOLDER/"), "\(nowhere.errors)")
    }

    @Test func modelsOfAnArchiveLieInAFolderOfItsName() throws {
        var archive = ZipBuilder()
        let bytes = try Repository.bytes(at: document)
        for name in ["one.dae", "more/two.dae"] { archive.add(name, bytes) }
        try folder.write(archive.bytes(), to: "both.zip")
        let outcome = try convert(["both.zip", "-o", "out/"])
        #expect(outcome.code == 0 && outcome.text.hasSuffix("2 models: 2 written\n"), "\(outcome)")
        #expect(files == ["both.zip", "out/both/one.glb", "out/both/more/two.glb"])
    }

    @Test func unchangedSourcesAreSkipped() throws {
        try models()
        try FileManager.default.removeItem(atPath: folder.path + "/in/broken.dae")
        let arguments = ["in", "-o", "out/", "--update"]
        #expect(try convert(arguments).text.hasSuffix("2 models: 2 written\n"))
        #expect(try convert(arguments).text == "2 models: 2 unchanged\n")
        // A change of one is seen, and what was written of it may be replaced.
        try folder.write(try Repository.bytes(at: document) + [UInt8(ascii: "\n")], to: "in/a.dae")
        let again = try convert(arguments)
        #expect(again.code == 0 && again.text.hasSuffix("2 models: 1 written, 1 unchanged\n"), "\(again)")
        // Other options make other files.
        #expect(try convert(arguments + ["--up", "Z"]).text.hasSuffix("2 models: 2 written\n"))
        // Without it nothing is replaced.
        let refused = try convert(["in", "-o", "out/"])
        #expect(refused.code == 73 && refused.errors.contains("out/a.glb: a file is there"), "\(refused.errors)")
    }

    @Test func aFolderThatCannotBeMadeEndsAllBeforeAnythingIsRead() throws {
        try folder.write("a file", to: "out")
        let outcome = try convert(["missing.dae", "-o", "out/"])
        #expect(outcome.code == 73 && outcome.errors == "dae: out/: cannot be made: Not a directory\n")
    }
}

extension FileManager {
    fileprivate func isFolder(_ path: String) -> Bool { (try? contentsOfDirectory(atPath: path)) != nil }
}

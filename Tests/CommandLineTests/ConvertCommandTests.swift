import FoundationEssentials
import Glibc
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

    @Test func texturesAreWrittenAsAskedFor() throws {
        let (plain, small) = (folder.path + "/plain.glb", folder.path + "/small.glb")
        _ = try Program.run(["convert", bundle("chair.zip"), "-o", plain])
        let outcome = try Program.run([
            "convert", bundle("chair.zip"), "-o", small, "--texture-size", "1", "--textures", "webp",
        ])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let root = try text(of: small)
        let types = root["images"]?.elements.compactMap { $0["mimeType"]?.string } ?? []
        #expect(types.count == 2 && types.contains("image/webp"), "\(types)")
        #expect(root["extensionsRequired"]?.elements.contains("EXT_texture_webp") == true)
        let sources = root["textures"]?.elements.compactMap { $0["extensions"]?["EXT_texture_webp"]?["source"]?.number }
        #expect(sources?.count == types.count { $0 == "image/webp" })
        #expect(try Repository.bytes(at: small).count < Repository.bytes(at: plain).count)
        // The same in a format with textures of its own kind.
        let package = try Program.run(["convert", bundle("chair.zip"), folder.path + "/a.usdz", "--texture-size", "16"])
        #expect(package.code == 0, "\(package.errors)")
    }

    @Test(arguments: [
        (["a.usdz", "--textures", "webp"], "--textures webp is of .glb and .gltf; the output is a .usdz."),
        (["a.glb", "--textures", "png"], "--textures is png; expected kept, webp or jpeg."),
        (["a.glb", "--texture-size", "0"], "--texture-size is 0; expected 1 to 16384 pixels."),
        (["a.stl", "--texture-size", "8"], "A .stl has no textures; expected no --textures and --texture-size."),
    ])
    func texturesThatAFormatDoesNotHaveAreRefused(_ words: [String], _ message: String) throws {
        let outcome = try Program.run(
            ["convert", bundle("chair.zip"), folder.path + "/" + words[0]] + words.dropFirst())
        #expect(outcome.code == 64 && outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func whatWouldBeLostIsProtected() throws {
        let output = try folder.write("as before", to: "walker.glb")
        let outcome = try Program.run(["convert", "--lossless", "--force", bundle("walker.zip"), "-o", output])
        #expect(outcome.code == 7 && outcome.errors.contains("[CONVERT_LOSS]"))
        #expect(try Repository.bytes(at: output) == Array("as before".utf8))
        #expect(names == ["walker.glb"])
    }

    @Test func aFileThatIsThereIsReplacedOnlyWhenAskedTo() throws {
        let output = try folder.write("as before", to: "a.glb")
        let refused = try Program.run(["convert", bundle("chair.zip"), "-o", output])
        #expect(refused.code == 73 && refused.errors == "dae: \(output): a file is there; --force replaces it\n")
        #expect(try Repository.bytes(at: output) == Array("as before".utf8))
        #expect(try Program.run(["convert", "-q", "--force", bundle("chair.zip"), "-o", output]).code == 0)
        #expect(try text(of: output)["asset"] != nil)
        // The numbers of a text are a file of it, too.
        try folder.write("as before", to: "b.bin")
        let text = try Program.run(["convert", bundle("chair.zip"), "-o", folder.path + "/b.gltf"])
        #expect(text.code == 73 && text.errors.contains("b.bin: a file is there"), "\(text.errors)")
        let folders = try Program.run(["convert", "--force", bundle("chair.zip"), "-o", folder.path + "/no/c.glb"])
        #expect(folders.code == 73)
    }

    @Test func aLinkStaysOneAndAFolderIsRefusedFirst() throws {
        let target = try folder.write("as before", to: "target.glb")
        let link = folder.path + "/link.glb"
        #expect(symlink("target.glb", link) == 0)
        #expect(try Program.run(["convert", "-q", "--force", bundle("chair.zip"), "-o", link]).code == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "target.glb")
        #expect(try text(of: target)["asset"] != nil)
        #expect(mkdir(folder.path + "/dir.glb", 0o755) == 0)
        // Before the source is looked for.
        let refused = try Program.run(["convert", "--force", "none.dae", "-o", folder.path + "/dir.glb"])
        #expect(refused.code == 73 && refused.errors.hasSuffix("dir.glb: a folder is there\n"), "\(refused.errors)")
    }

    @Test func aReportThatCannotBeWrittenEndsAllBeforeAnythingIs() throws {
        let arguments = ["convert", "-q", bundle("chair.zip"), "-o", folder.path + "/a.glb", "--report"]
        let nowhere = try Program.run(arguments + [folder.path + "/no/r.json"])
        #expect(nowhere.code == 73 && names == [], "\(nowhere.errors)")
        let report = try folder.write("as before", to: "r.json")
        let refused = try Program.run(arguments + [report])
        #expect(refused.code == 73 && refused.errors == "dae: \(report): a file is there; --force replaces it\n")
        #expect(try Repository.bytes(at: report) == Array("as before".utf8) && names == ["r.json"])
        #expect(try Program.run(arguments + [report, "--force"]).code == 0)
        #expect(try JSONNode(parsing: Repository.bytes(at: report))["changes"] != nil)
        #expect(try Program.run(arguments + ["/dev/null", "--force"]).code == 0)
    }

    @Test func theFileOfNumbersIsNamedOnce() throws {
        let output = folder.path + "/x.GLTF"
        #expect(try Program.run(["convert", "-q", bundle("chair.zip"), "-o", output]).code == 0)
        #expect(Set(names) == ["x.GLTF", "x.bin", "x-oak-wood.png", "x-fabric.jpg"])
        let root = try JSONNode(parsing: Repository.bytes(at: output))
        #expect(root["buffers"]?.elements.first?["uri"] == "x.bin")
        #expect(try Program.run(["convert", "-q", bundle("chair.zip"), "-o", folder.path + "/X.gltf"]).code == 0)
    }

    @Test func aCompactFileSaysHowFarItIsOff() throws {
        let names = ["none", "quantized", "meshopt"]
        let roots = try names.map { name in
            let output = folder.path + "/\(name).glb"
            let way = name == "none" ? [] : ["--compact", name]
            let outcome = try Program.run(["convert", bundle("walker.zip"), "-o", output] + way)
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(outcome.text.contains("positions rounded to a grid, at most 0.") == (name != "none"))
            return try text(of: output)
        }
        #expect(
            roots.map { $0["extensionsRequired"]?.elements.compactMap(\.string) ?? [] } == [
                [], ["KHR_mesh_quantization"], ["EXT_meshopt_compression", "KHR_mesh_quantization"],
            ])
        #expect(Set(roots.map { $0["skins"]?.elements.count }).count == 1)
        let arguments = ["convert", bundle("walker.zip"), "-o", folder.path + "/refused.glb", "--compact"]
        let unknown = try Program.run(arguments + ["draco"])
        #expect(unknown.code == 64 && unknown.errors.contains("expected quantized or meshopt"))
        #expect(try Program.run(arguments + ["meshopt", "--protect", "geometry"]).code == 7)
    }

    @Test func usageIsThatOfTheCommand() throws {
        let arguments = [bundle("chair.zip"), "--password-file", folder.path + "/none"]
        for command in [["inspect"], ["convert", "-o", folder.path + "/a.glb"]] {
            let outcome = try Program.run(command + arguments)
            #expect(outcome.code == 64)
            #expect(outcome.errors.hasPrefix("Error: --password-file: "), "\(outcome.errors)")
            #expect(outcome.errors.lowercased().contains("usage: dae \(command[0]) "), "\(outcome.errors)")
        }
        let only = try Program.run(["validate", "--only", "error", bundle("chair.zip")])
        #expect(only.code == 64 && only.errors.contains("For severities see --min-severity."), "\(only.errors)")
        #expect(try Program.run(["convert", "--help"]).text.contains("--time=-5"))
    }

    @Test func classesOfLossesAreProtected() throws {
        let arguments = ["convert", bundle("walker.zip"), "-o", folder.path + "/a.glb"]
        let material = try Program.run(arguments + ["--protect", "geometry,material"])
        #expect(material.code == 7 && material.errors.contains("[CONVERT_LOSS]") && names == [])
        let unknown = try Program.run(arguments + ["--protect", "shading"])
        #expect(unknown.code == 64 && unknown.errors.contains("expected one of geometry, node"), "\(unknown.errors)")
        let fine = try Program.run(arguments + ["--protect", "geometry,node", "--protect", "camera"])
        #expect(fine.code == 0, "\(fine.errors)")
    }

    @Test func camerasAndLightsAreAModel() throws {
        for (name, word) in [("cameras", "camera"), ("lights", "light")] {
            let output = folder.path + "/\(name).glb"
            let outcome = try Program.run(["convert", Repository.fixtures + "/documents/\(name).dae", "-o", output])
            #expect(outcome.code == 0, "\(outcome.errors)")
            let first = outcome.text.split(separator: "\n").first ?? ""
            #expect(first.contains(" · no mesh · ") && first.contains(" \(word)"), "\(first)")
            #expect(try text(of: output)["buffers"] == nil)
        }
    }

    @Test func whatWasWrittenIsTold() throws {
        let output = folder.path + "/chair.glb"
        let text = try Program.run(["convert", bundle("chair.zip"), "-o", output]).text
        let first = text.split(separator: "\n").first ?? ""
        #expect(first.hasPrefix("\(output)   ") && first.contains("kB · "), "\(first)")
        #expect(first.contains("3 meshes in 4 draw calls · 2 materials · 2 images"), "\(first)")
    }

    @Test func aSceneIsChosenByItsNameOrId() throws {
        let source = Repository.fixtures + "/rules/SCENE_MULTIPLE_VISUAL_SCENES.dae"
        let output = folder.path + "/out.glb"
        #expect(try Program.run(["convert", source, "-o", output, "--scene", "shown"]).code == 0)
        let hidden = try Program.run(["convert", "--force", source, "-o", output, "--scene", "hidden"])
        #expect(hidden.code == 5 && hidden.errors.contains("[CONVERT_NOTHING_DRAWABLE]"), "\(hidden.errors)")
        let unknown = try Program.run(["convert", "--force", source, "-o", output, "--scene", "other"])
        #expect(unknown.code == 5 && unknown.errors.contains("\"other\""), "\(unknown.errors)")
        #expect(unknown.errors.contains("\"shown\", \"hidden\""), "\(unknown.errors)")
    }

    @Test func aMomentHasNoAnimation() throws {
        let output = folder.path + "/walker.glb"
        #expect(try Program.run(["convert", bundle("walker.zip"), "-o", output]).code == 0)
        #expect(try text(of: output)["animations"] != nil)
        let posed = try Program.run(["convert", bundle("walker.zip"), "-o", output, "--time", "0.5", "--force"])
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
        #expect(try Program.run(["convert"]).code == 64)
        for arguments in [["-o", folder.path + "/out.fbx"], [folder.path + "/out.fbx"], ["--to", "fbx"]] {
            let unknown = try Program.run(["convert", bundle("chair.zip")] + arguments)
            #expect(unknown.code == 64 && unknown.errors.contains("glb, "), "\(unknown.errors)")
            #expect(unknown.errors.contains("expected "), "\(unknown.errors)")
        }
        for arguments in [["-o", "-"], ["-o", "-", "--to", "obj"], ["-o", output, "--to", "stl"], ["--update"]] {
            let outcome = try Program.run(["convert", bundle("chair.zip")] + arguments)
            #expect(outcome.code == 64 && outcome.errors.contains("expected"), "\(arguments): \(outcome.errors)")
        }
        #expect(try Program.run(["convert", bundle("chair.zip"), "-o", output, "--influences", "5"]).code == 64)
        let wrong = [
            ["--units", "feet"], ["--up", "W"], ["--fps", "0"], ["--fps", "1001"], ["--time", "nan"], ["--scene", ""],
        ]
        for arguments in wrong {
            let outcome = try Program.run(["convert", bundle("chair.zip"), "-o", output] + arguments)
            #expect(outcome.code == 64 && outcome.errors.contains("expected"), "\(arguments): \(outcome.errors)")
        }
        #expect(try Program.run(["convert", folder.path + "/missing.dae", "-o", output]).code == 3)
        let empty = try Program.run(["convert", Repository.fixtures + "/documents/empty-scene.dae", "-o", output])
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

    @Test(arguments: ["png", "jpg"]) func anImageThatIsCutShortIsLeftOutAndTold(_ ending: String) throws {
        let image = try Repository.bytes(at: Repository.fixtures + "/images/stripes.\(ending)")
        let document = """
            <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset/>
            <library_images><image id="I"><init_from>a.\(ending)</init_from></image></library_images>
            <library_effects><effect id="E"><profile_COMMON>
            <newparam sid="f"><surface type="2D"><init_from>I</init_from></surface></newparam>
            <newparam sid="s"><sampler2D><source>f</source></sampler2D></newparam><technique sid="t"><lambert><diffuse>
            <texture texture="s" texcoord="UV"/></diffuse></lambert></technique></profile_COMMON></effect></library_effects>
            <library_materials><material id="M"><instance_effect url="#E"/></material></library_materials>
            <library_geometries><geometry id="G"><mesh><source id="p"><float_array id="a" count="9">0 0 0 1 0 0 0 1 0
            </float_array><technique_common><accessor source="#a" count="3" stride="3"><param name="X" type="float"/>
            <param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
            <source id="u"><float_array id="b" count="6">0 0 1 0 0 1</float_array><technique_common>
            <accessor source="#b" count="3" stride="2"><param name="S" type="float"/><param name="T" type="float"/>
            </accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
            <triangles material="m" count="1"><input semantic="VERTEX" source="#v" offset="0"/>
            <input semantic="TEXCOORD" source="#u" offset="0" set="0"/><p>0 1 2</p></triangles></mesh></geometry>
            </library_geometries><library_visual_scenes><visual_scene id="S"><node><instance_geometry url="#G">
            <bind_material><technique_common><instance_material symbol="m" target="#M">
            <bind_vertex_input semantic="UV" input_semantic="TEXCOORD" input_set="0"/></instance_material>
            </technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes>
            <scene><instance_visual_scene url="#S"/></scene></COLLADA>
            """
        let source = try folder.write(document, to: "a.dae")
        let output = folder.path + "/a.glb"
        for (count, images) in [(image.count, 1), (image.count * 2 / 3, 0)] {
            try folder.write(Array(image[..<count]), to: "a.\(ending)")
            let outcome = try Program.run(["convert", "--force", source, "-o", output])
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(try text(of: output)["images"]?.elements.count ?? 0 == images)
            #expect(outcome.text.contains("images that are missing") == (images == 0), "\(outcome.text)")
        }
    }
}

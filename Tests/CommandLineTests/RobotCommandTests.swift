import TestSupport
import Testing

/// Robots' packages: what their descriptions name is checked, taken for sources, and scaled.
@Suite struct RobotCommandTests {
    private let place: TemporaryFolder

    /// A package of two meshes, one of which is shown twice as large as its file has it, and one that is no COLLADA.
    init() throws {
        place = try TemporaryFolder()
        let square = try Repository.fixture("documents/triangles.dae")
        try place.write(square, to: "arm/meshes/visual/base.dae")
        try place.write(square, to: "arm/meshes/collision/base.dae")
        try place.write("solid x\nendsolid x\n", to: "arm/meshes/hull.stl")
        try place.write("<package><name>arm</name></package>", to: "arm/package.xml")
        try describe(["package://arm/meshes/visual/base.dae\" scale=\"2 3 4", "../meshes/collision/base.dae"])
    }

    private func describe(_ meshes: [String], in path: String = "arm/urdf/arm.urdf") throws {
        let links = meshes.map { "  <link><visual><geometry><mesh filename=\"\($0)\"/></geometry></visual></link>\n" }
        try place.write("<robot name=\"arm\">\n\(links.joined())</robot>\n", to: path)
    }

    private func run(_ arguments: [String]) throws -> Program.Outcome { try Program.run(arguments, folder: place.path) }

    private func validate(_ arguments: [String]) throws -> Program.Outcome {
        try run(["validate", "--quiet", "--no-config", "--min-severity", "info"] + arguments)
    }

    private var files: [String] {
        ((try? Repository.files(below: place.path + "/out")) ?? []).filter { $0.contains(".") }
    }

    /// Of an OBJ, the sides of the box around its vertices.
    private func sides(_ file: String) throws -> SIMD3<Double> {
        let text = String(decoding: try Repository.bytes(at: place.path + "/" + file), as: UTF8.self)
        let points = text.split(separator: "\n").filter { $0.hasPrefix("v ") }.map { line in
            let numbers = line.split(separator: " ").dropFirst().compactMap { Double($0) }
            return SIMD3(numbers[0], numbers[1], numbers[2])
        }
        let first = try #require(points.first)
        let box = points.reduce((first, first)) { (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1)) }
        return box.1 - box.0
    }

    // MARK: - validate

    @Test func descriptionsOfAPackageAreSourcesOfTheirOwn() throws {
        let outcome = try validate(["arm"])
        #expect(outcome.text.contains("arm/urdf/arm.urdf: no findings\n"), "\(outcome.text)")
        #expect(outcome.text.contains("3 sources"))
        // What lies in no package is not looked at.
        try place.write("<robot><mesh filename='gone.dae'/></robot>", to: "loose/a.urdf")
        try place.write(Repository.fixture("documents/triangles.dae"), to: "loose/a.dae")
        #expect(try !validate(["loose"]).text.contains("ROBOT_"))
    }

    @Test func absentMeshesAreFindingsInEveryForm() throws {
        try describe(["package://arm/meshes/gone.dae", "package://arm/meshes/visual/base.dae", "a.dae\" scale=\"1"])
        let text = try validate(["arm"])
        #expect(text.code == 1)
        let line = "arm/urdf/arm.urdf:2:27: error: the mesh \"package://arm/meshes/gone.dae\" was not found"
        #expect(text.text.contains(line + " [ROBOT_MESH_NOT_FOUND]\n    2 |"), "\(text.text)")
        #expect(
            text.text.contains("arm.urdf:4:27: error: the scale of the mesh \"a.dae\" is \"1\"; expected three numbers")
        )
        let schema = try JSONSchema(JSONNode(parsing: Repository.fixture("schema/validate.schema.json")))
        let json = try validate(["--format", "json", "arm"])
        let lines = json.output.split(separator: UInt8(ascii: "\n"))
        #expect(json.code == 1 && lines.count == 3)
        for line in lines { #expect(schema.violations(in: try JSONNode(parsing: Array(line))) == []) }
        let last = try JSONNode(parsing: Array(try #require(lines.last)))
        #expect(last["source"]?["input"] == "arm/urdf/arm.urdf" && last["findings"]?["errors"]?.number == 3)
        #expect(
            last["robot"]?["meshes"]?.elements.compactMap { $0["status"]?.string } == ["missing", "found", "missing"])
        for form in ["sarif", "md", "junit", "github", "gltf-report"] {
            let outcome = try validate(["--format", form, "arm"])
            #expect(outcome.code == 1 && outcome.text.contains("ROBOT_MESH_NOT_FOUND"), "\(form): \(outcome.text)")
        }
        #expect(try validate(["--ignore", "ROBOT_*", "arm"]).code == 0)
        try place.write("#!/bin/sh", to: "arm/urdf/broken.urdf")
        let broken = try validate(["arm"])
        #expect(broken.code == 5 && broken.text.contains("[ROBOT_DESCRIPTION_UNREADABLE]"), "\(broken.text)")
    }

    @Test func namesOfXacroThatAreNotLiteralAreTold() throws {
        try describe(["package://arm/${name}.dae"], in: "arm/urdf/arm.urdf.xacro")
        let outcome = try validate(["arm"])
        #expect(outcome.code == 0 && outcome.text.contains("arm.urdf.xacro:2:27: info: "), "\(outcome.text)")
        #expect(outcome.text.contains("[ROBOT_NAME_NOT_LITERAL]"))
    }

    @Test func aDescriptionIsNoLeftover() throws {
        try place.write(Repository.fixture("documents/triangles.dae"), to: "one/top.dae")
        try place.write("<model><name>one</name></model>", to: "one/model.config")
        let uris = ["model://one/top.dae", "top.dae", "model://arm/meshes/hull.stl"].map {
            "<mesh><uri>\($0)</uri></mesh>"
        }
        try place.write("<sdf>\(uris.joined())</sdf>", to: "one/model.sdf")
        let outcome = try validate(["one"])
        #expect(outcome.code == 0 && outcome.text.contains("one/model.sdf: no findings\n"), "\(outcome.text)")
        #expect(!outcome.text.contains("nothing refers to \"model.sdf\""))
    }

    @Test func aPackageWithoutCOLLADAIsNoFault() throws {
        try place.write("<package><name>hull</name></package>", to: "hull/package.xml")
        try place.write("solid x\nendsolid x\n", to: "hull/meshes/hull.stl")
        try describe(["package://hull/meshes/hull.stl"], in: "hull/hull.urdf")
        let outcome = try validate(["hull"])
        #expect(
            outcome.code == 0 && outcome.text == "hull/hull.urdf: no findings\n", "\(outcome.text) \(outcome.errors)")
    }

    // MARK: - A description as a source

    @Test func aDescriptionMeansTheModelsThatItNames() throws {
        try describe(["../meshes/visual/base.dae", "package://arm/meshes/visual/base.dae", "../meshes/hull.stl"])
        let outcome = try run(["inspect", "--quiet", "--format", "json", "arm/urdf/arm.urdf"])
        let report = try JSONNode(parsing: outcome.output)
        #expect(outcome.code == 0 && report["source"]?["input"] == "arm/meshes/visual/base.dae")
        #expect(outcome.errors == "dae: arm/urdf/arm.urdf: 1 mesh is no COLLADA and not read (.stl)\n")
        try describe(["../meshes/visual/base.dae", "gone.dae"])
        let absent = try run(["inspect", "--quiet", "arm/urdf/arm.urdf"])
        #expect(absent.code == 3)
        #expect(
            absent.errors.contains("arm/urdf/arm.urdf:3:27: the mesh \"gone.dae\" was not found [ROBOT_MESH_NOT_FOUND]")
        )
        #expect(try run(["inspect", "none.urdf"]).code == 3)
        let sheet = try run(["render", "-q", "--sheet", "arm/urdf/arm.urdf", "-o", "sheet.png"])
        #expect(sheet.code == 3, "\(sheet.errors)")
        let validated = try validate(["arm/urdf/arm.urdf"])
        #expect(validated.code == 1 && validated.text.contains("2 sources"), "\(validated.text)")
    }

    @Test func whatADescriptionNamesIsConvertedWithItsScale() throws {
        let outcome = try run(["convert", "arm/urdf/arm.urdf", "-o", "out/", "--to", "obj"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(Set(files.filter { $0.hasSuffix(".obj") }) == ["meshes/visual/base.obj", "meshes/collision/base.obj"])
        #expect(outcome.text.contains("scale 2 3 4 (arm/urdf/arm.urdf:2)"), "\(outcome.text)")
        let (plain, scaled) = (try sides("out/meshes/collision/base.obj"), try sides("out/meshes/visual/base.obj"))
        #expect(plain.max() > 0 && scaled == plain * SIMD3(2, 4, 3), "\(plain) \(scaled)")
        let several = try run(["convert", "arm/urdf/arm.urdf", "a.glb"])
        #expect(several.code == 64 && several.errors.contains("names 2 models; expected one, or --output (-o) FOLDER/"))
        try describe(["../meshes/visual/base.dae\" scale=\"2 3 4"])
        let one = try run(["convert", "arm/urdf/arm.urdf", "--to", "obj"])
        #expect(
            one.code == 0 && one.text.hasSuffix("  scale 2 3 4 (arm/urdf/arm.urdf:2)\n"), "\(one.text) \(one.errors)")
        #expect(try sides("arm.obj") == scaled)
    }

    // MARK: - --scale-from-urdf

    @Test func theScaleOfAPackageIsAppliedWhereItIsAskedFor() throws {
        let mesh = "arm/meshes/visual/base.dae"
        #expect(try run(["convert", "-q", mesh, "plain.obj"]).code == 0)
        let outcome = try run(["convert", "--scale-from-urdf", mesh, "scaled.obj"])
        #expect(outcome.code == 0 && outcome.text.contains("scale 2 3 4 ("), "\(outcome.text) \(outcome.errors)")
        #expect(try sides("scaled.obj") == sides("plain.obj") * SIMD3(2, 4, 3))
        try place.write(Repository.fixture("documents/triangles.dae"), to: "alone.dae")
        let alone = try run(["convert", "--scale-from-urdf", "alone.dae", "alone.obj"])
        #expect(alone.code == 0 && alone.text.contains("scale 1 (no robot's description names it)"), "\(alone.text)")
    }

    @Test func severalScalesOfOneMeshAreRefused() throws {
        try describe(["package://arm/meshes/visual/base.dae\" scale=\"1 -1 1"], in: "arm/urdf/left.urdf")
        let outcome = try run(["convert", "-q", "--scale-from-urdf", "arm", "-o", "out/", "--to", "obj"])
        #expect(outcome.code == 5 && files.filter { $0.hasSuffix(".obj") } == ["meshes/collision/base.obj"])
        #expect(outcome.errors.contains("2 3 4 (arm/urdf/arm.urdf:2) and 1 -1 1 ("), "\(outcome.errors)")
        #expect(outcome.errors.contains("(arm/urdf/left.urdf:2) [ROBOT_SCALE_AMBIGUOUS]"))
    }

    @Test func anotherScaleIsAnotherFile() throws {
        let arguments = ["convert", "arm", "-o", "out/", "--to", "obj", "--update", "--scale-from-urdf"]
        #expect(try run(arguments).text.hasSuffix("2 models: 2 written\n"))
        #expect(try run(arguments).text.hasSuffix("2 models: 2 unchanged\n"))
        try describe(["package://arm/meshes/visual/base.dae\" scale=\"5 5 5", "../meshes/collision/base.dae"])
        let outcome = try run(arguments)
        #expect(outcome.text.hasSuffix("2 models: 1 written, 1 unchanged\n"), "\(outcome.text) \(outcome.errors)")
        #expect(outcome.text.contains("scale 5 5 5 ("))
        #expect(
            try run(["convert", "arm", "-o", "out/", "--to", "obj", "--update"]).text.contains("1 written, 1 unchanged")
        )
    }
}

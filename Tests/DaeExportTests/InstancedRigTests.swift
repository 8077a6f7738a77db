import DaeExport
import DaeMesh
import DaeScene
import TestSupport
import Testing

/// Each instance of a node that holds a skin and its joints is a rig of its own.
@Suite struct InstancedRigTests {
    private static let rig = """
        <node id="L">\(SkinDocument.joint())<node id="n">\(SkinDocument.instance())</node></node>
        """

    private static func places(of conversion: Conversion) throws -> [SIMD3<Double>] {
        try conversion.posed().map { $0.positions[0] }
    }

    @Test func twoInstancesHaveJointsOfTheirOwn() throws {
        let conversion = try Conversion(Repository.fixture("field/A11-rig-instanced-twice/twice.dae"))
        let file = try #require(conversion.checker.file)
        let joints = file.list("skins").map { $0["joints"]?.numbers ?? [] }
        #expect(joints.count == 2)
        #expect(Set(joints.joined()).count == 4)
        let meshes = try conversion.posed()
        #expect(meshes.map { Set($0.positions.map(\.z)) } == [[10], [20]])
    }

    @Test(arguments: ["1.4.1", "1.5.0"]) func aRigBelowRigsIsFoundInTheNearest(_ version: String) throws {
        var document = SkinDocument(version: version)
        // Two groups of two.
        document.libraries = """
            <library_nodes>\(Self.rig)<node id="P"><node><translate>1 0 0</translate><instance_node url="#L"/></node>
            <node><translate>2 0 0</translate><instance_node url="#L"/></node></node></library_nodes>
            """
        document.nodes = """
            <node><translate>0 0 10</translate><instance_node url="#P"/></node>
            <node><translate>0 0 20</translate><instance_node url="#P"/></node>
            """
        let conversion = try Conversion(document.bytes)
        #expect(try Self.places(of: conversion) == [[1, 0, 10], [2, 0, 10], [1, 0, 20], [2, 0, 20]])
    }

    @Test func aMeshThatIsInstancedBesideOneSkeletonStaysWithIt() throws {
        var document = SkinDocument()
        document.libraries = "<library_nodes><node id=\"M\">\(SkinDocument.instance())</node></library_nodes>"
        document.nodes = """
            <node><translate>0 0 5</translate>\(SkinDocument.joint())</node>
            <node><instance_node url="#M"/></node><node><instance_node url="#M"/></node>
            """
        #expect(try Self.places(of: Conversion(document.bytes)) == [[0, 0, 5], [0, 0, 5]])
    }

    @Test func aSkeletonThatStandsTwiceAsideIsTheFirst() throws {
        var document = SkinDocument()
        document.libraries = "<library_nodes>\(SkinDocument.joint())</library_nodes>"
        document.nodes = """
            <node><translate>0 0 5</translate><instance_node url="#A"/></node>
            <node><translate>0 0 6</translate><instance_node url="#A"/></node><node id="n">\(SkinDocument.instance())</node>
            """
        #expect(try Self.places(of: Conversion(document.bytes)) == [[0, 0, 5]])
    }

    @Test func eachRigMovesByItself() throws {
        var document = SkinDocument()
        let joint = SkinDocument.joint("A", sid: "J", "<translate sid=\"t\">0 0 0</translate>")
        document.libraries = """
            <library_nodes><node id="L">\(joint)<node id="n">\(SkinDocument.instance())</node></node></library_nodes>
            <library_animations>
            \(SmallDocument.animation("w", "A/t.X", times: [0, 1], values: [0, 3], "LINEAR"))</library_animations>
            """
        document.nodes = """
            <node><translate>0 0 10</translate><instance_node url="#L"/></node>
            <node><translate>0 0 20</translate><instance_node url="#L"/></node>
            """
        let file = try #require(try Conversion(document.bytes).checker.file)
        let moved = (file.list("animations").first?["channels"]?.elements ?? []).compactMap {
            $0["target"]?["node"]?.int
        }
        #expect(Set(moved) == Set(file.list("skins").flatMap { $0["joints"]?.elements ?? [] }.compactMap(\.int)))
        #expect(moved.count == 2)
    }

    @Test func theBoxOfTheSceneHoldsEachRig() throws {
        let conversion = try Conversion(Repository.fixture("field/A11-rig-instanced-twice/twice.dae"))
        #expect(try SceneBounds(of: conversion.scene).box == conversion.posedBounds())
    }
}

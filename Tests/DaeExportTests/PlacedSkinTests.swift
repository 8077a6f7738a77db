import DaeCollada
import DaeDiagnostics
import DaeExport
import DaeMesh
import DaeScene
import TestSupport
import Testing

/// Skins of models that a manifest puts in their places: a model is moved as a whole, once.
@Suite struct PlacedSkinTests {
    private static let up = "<translate>0 0 7</translate>"

    private static func document(_ nodes: String, _ libraries: String = "", asset: String? = nil) -> SkinDocument {
        var document = SkinDocument()
        document.nodes = nodes
        document.libraries = libraries
        if let asset { document.asset = asset }
        return document
    }

    /// A triangle of corners (0, 0, 7), (1, 0, 7) and (0, 1, 7), which its node has from the origin.
    private static let carried = document(
        SkinDocument.joint() + "<node id=\"n\">\(up)\(SkinDocument.instance())</node>")

    private static func conversion(
        _ documents: [String: SkinDocument], _ models: [(path: String, transforms: [Transform])]
    ) throws -> Conversion {
        func read(_ path: String, _ options: ColladaOptions) throws -> ColladaParser.Reading {
            let parser = ColladaParser(options: options)
            try #require(documents[path]).bytes.withUnsafeBytes { try parser.read($0) }
            return try parser.finish()
        }
        let loader = DocumentLoader(locate: { file, _ in .missing(tried: file) }, read: read)
        var options = ColladaOptions()
        options.documentPath = models.first?.path
        let first = try read(try #require(models.first).path, options)
        let shown = models.map { ShownModel(path: $0.path, bytes: 1, name: nil, transforms: $0.transforms) }
        let outcome = try first.document.linked(options: options, by: loader, shown: shown).scene(options: options)
        let conversion = try Conversion(outcome.scene)
        let played = try conversion.posedBounds()
        let box = try #require(SceneBounds(of: conversion.scene).box)
        #expect(near(box.min, played.min) && near(box.max, played.max), "\(box), played back \(played)")
        // A deformer takes joints at their first places.
        if Set(models.map(\.path)).count == models.count { expectDeformed(conversion.scene, box) }
        return conversion
    }

    private static func expectDeformed(_ scene: Scene, _ box: Bounds) {
        let pose = PoseEvaluator(scene: scene, channels: [])
        let deformer = Deformer(scene: scene, pose: pose)
        var deformed: Bounds?
        pose.forEachPlacement(in: scene) { node, matrix in
            for points in scene.nodes[node].instances.compactMap({ deformer.positions(of: $0, placedBy: matrix) }) {
                for start in stride(from: 0, to: points.count, by: 3) {
                    let point = Bounds(SIMD3(points[start..<start + 3]))
                    if deformed == nil { deformed = point } else { deformed?.formUnion(point) }
                }
            }
        }
        #expect(
            deformed.map { near($0.min, box.min) && near($0.max, box.max) } == true,
            "\(box), deformed \(deformed as Any)")
    }

    private static func expect(
        _ mesh: PosedMesh, _ points: [SIMD3<Double>], _ place: SourceLocation = #_sourceLocation
    ) {
        #expect(
            zip(mesh.positions, points).allSatisfy(near) && mesh.positions.count == points.count,
            "\(mesh.positions)", sourceLocation: place)
    }

    @Test func aSkinThatItsNodeCarriesIsMovedOnce() throws {
        let models = try Self.conversion(
            ["a": Self.carried, "b": Self.carried], [("a", []), ("b", [.translate([111, 0, 0])])]
        ).posed()
        try #require(models.count == 2)
        Self.expect(models[0], [[0, 0, 7], [1, 0, 7], [0, 1, 7]])
        Self.expect(models[1], [[111, 0, 7], [112, 0, 7], [111, 1, 7]])
    }

    @Test func oneDocumentStandsAtEachOfItsPlaces() throws {
        let models = try Self.conversion(
            ["a": Self.carried], [("a", [.translate([50, 0, 0])]), ("a", [.translate([-50, 0, 0])])]
        ).posed()
        try #require(models.count == 2)
        Self.expect(models[0], [[50, 0, 7], [51, 0, 7], [50, 1, 7]])
        Self.expect(models[1], [[-50, 0, 7], [-49, 0, 7], [-50, 1, 7]])
    }

    /// x east, y north and z up in metres become x, −z and y.
    @Test func aModelThatIsTurnedAndScaledIsSoOnce() throws {
        let models = try Self.conversion(
            ["a": Self.carried],
            [("a", [.translate([100, 20, 3]), .rotate(axis: [0, 0, 1], degrees: -90), .scale([2, 5, 3])])]
        ).posed()
        try #require(models.count == 1)
        // Seven metres to the south are 35, and clockwise by a quarter of a turn to the west.
        Self.expect(models[0], [[65, 3, -20], [65, 3, -18], [65, 6, -20]])
    }

    @Test func aModelOfAnotherUnitAndAxisIsMovedOnce() throws {
        let inches = Self.document(
            SkinDocument.joint() + "<node id=\"n\">\(Self.up)\(SkinDocument.instance())</node>",
            asset: "<unit name=\"half\" meter=\"0.5\"/><up_axis>Z_UP</up_axis>")
        let models = try Self.conversion(
            ["a": Self.carried, "b": inches], [("a", []), ("b", [.translate([0, 40, 0])])]
        ).posed()
        try #require(models.count == 2)
        Self.expect(models[1], [[0, 3.5, -40], [0.5, 3.5, -40], [0, 3.5, -40.5]])
    }

    @Test func whatIsAroundTheJointsTooStaysThere() throws {
        let around = Self.document(
            "<node id=\"all\"><translate>0 0 1</translate>\(SkinDocument.joint())"
                + "<node id=\"n\">\(Self.up)\(SkinDocument.instance())</node></node>")
        let models = try Self.conversion(["a": around], [("a", [.translate([9, 0, 0])])]).posed()
        try #require(models.count == 1)
        Self.expect(models[0], [[9, 0, 8], [10, 0, 8], [9, 1, 8]])
    }

    /// Without its skeleton a skin would stay where it was bound.
    @Test func aSkeletonInALibraryComesAlongIntoItsModel() throws {
        let library = Self.document(
            "<node id=\"n\">\(SkinDocument.instance())</node>",
            "<library_nodes><node id=\"rig\"><translate>0 0 4</translate>\(SkinDocument.joint())</node></library_nodes>"
        )
        let models = try Self.conversion(
            ["a": library, "b": Self.carried, "c": library],
            [
                ("a", []), ("b", [.translate([20, 0, 0])]), ("c", [.translate([40, 0, 0])]),
                ("c", [.scale([2, 2, 2])]),
            ]
        ).posed()
        try #require(models.count == 4)
        Self.expect(models[0], [[0, 0, 4], [1, 0, 4], [0, 1, 4]])
        Self.expect(models[1], [[20, 0, 7], [21, 0, 7], [20, 1, 7]])
        Self.expect(models[2], [[40, 0, 4], [41, 0, 4], [40, 1, 4]])
        Self.expect(models[3], [[0, 0, 8], [2, 0, 8], [0, 2, 8]])
    }
}

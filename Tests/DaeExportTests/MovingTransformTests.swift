import DaeExport
import DaeMesh
import DaeScene
import TestSupport
import Testing

/// Matrices and lookats that move: what shifts is told by channels, not by where a node stands at rest.
@Suite struct MovingTransformTests {
    private static func corner(_ conversion: Conversion, at time: Double) throws -> SIMD3<Double> {
        #expect(conversion.checker.faults.isEmpty, "\(conversion.checker.faults)")
        return try #require(conversion.played?.points(at: time).first)
    }

    private static func field(_ name: String) throws -> Conversion {
        try Conversion(Repository.fixture("field/\(name).dae"))
    }

    @Test func anElementOfAMatrixMovesIt() throws {
        let conversion = try Self.field("A05-moving-matrix/element")
        for (time, x) in [(0, 0), (0.5, 2.5), (1, 5)] {
            #expect(try Self.corner(conversion, at: time).isNear([x, 0, 0]))
        }
    }

    @Test func aMatrixAndARotationMoveTogether() throws {
        let points = try #require(Self.field("A05-moving-matrix/matrix-and-rotate").played?.points(at: 1))
        #expect(points.count == 3)
        #expect(points[0].isNear([5, 0, 0]) && points[1].isNear([5, 1, 0]) && points[2].isNear([4, 0, 0]))
    }

    @Test func theEyeOfALookatMovesIt() throws {
        let conversion = try Self.field("A05-moving-matrix/lookat-eye")
        #expect(try Self.corner(conversion, at: 1).isNear([4, 0, 0]))
    }

    @Test func aDuplicateIDLeadsToTheSameAnimation() throws {
        let conversion = try Self.field("A14-duplicate-animation-ids/animations")
        #expect(try Self.corner(conversion, at: 1).isNear([5, 7, 0]))
    }

    @Test func oneNumberForARotationIsItsAngle() throws {
        let points = try #require(Self.field("A17-small/rotate-whole-one-number").played?.points(at: 1))
        #expect(points[1].isNear([0, 1, 0]) && points[2].isNear([-1, 0, 0]))
    }

    @Test func sixteenFloatsAreAMatrix() throws {
        #expect(try Self.corner(Self.field("A17-small/matrix-of-floats"), at: 1).isNear([5, 0, 0]))
    }

    // MARK: - Siblings

    private static let identity = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"

    private static func moved(_ transforms: String, _ animations: String, version: String = "1.4.1") throws
        -> Conversion
    {
        var document = SmallDocument()
        document.libraries = "<library_animations>\(animations)</library_animations>"
        document.nodes = "<node id=\"N\">\(transforms)<instance_geometry url=\"#square\"/></node>"
        guard version == "1.5.0" else { return try Conversion(document.bytes) }
        let text = String(decoding: document.bytes, as: UTF8.self)
            .replacing(
                "http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\"",
                with: "http://www.collada.org/2008/03/COLLADASchema\" version=\"1.5.0\"")
        return try Conversion(Array(text.utf8))
    }

    /// What the pose has is what is played, of whichever of a transform's numbers move.
    @Test(
        arguments: [
            ("<matrix sid=\"m\">\(identity)</matrix>", "N/m(3)(1)", [0.0, 3]),
            ("<matrix sid=\"m\">\(identity)</matrix>", "N/m(11)", [0, 3]),
            (
                "<translate>1 0 0</translate><matrix sid=\"m\">\(identity)</matrix><scale>2 2 2</scale>", "N/m(3)(2)",
                [0, 3]
            ),
            ("<matrix sid=\"m\">\(identity)</matrix><translate sid=\"t\">0 0 0</translate>", "N/t.X", [0, 3]),
            ("<lookat sid=\"l\">0 0 0 0 0 -9 0 1 0</lookat>", "N/l(1)", [0, 3]),
            ("<lookat sid=\"l\">0 0 0 0 0 -9 0 1 0</lookat>", "N/l(3)", [0, 3]),
            ("<rotate sid=\"r\">0 0 1 30</rotate><matrix sid=\"m\">\(identity)</matrix>", "N/m(3)(0)", [0, 3]),
            ("<skew sid=\"k\">0 0 1 0 1 0 0</skew><matrix sid=\"m\">\(identity)</matrix>", "N/m(7)", [0, 3]),
        ], ["1.4.1", "1.5.0"])
    func anyNumberThatShiftsIsPlayed(of kind: (String, String, [Double]), version: String) throws {
        for interpolation in ["LINEAR", "STEP"] {
            let conversion = try Self.moved(
                kind.0, SmallDocument.animation("a", kind.1, times: [0, 1], values: kind.2, interpolation),
                version: version)
            for time in [0, 0.25, 0.5, 1] {
                var pose = PoseEvaluator(scene: conversion.scene, channels: conversion.scene.channels)
                pose.move(to: time)
                let expected = pose.locals[0].transform(point: .zero)
                #expect(try Self.corner(conversion, at: time).isNear(expected, 1e-3), "\(kind) at \(time)")
            }
        }
    }

    @Test func allElementsOfAMatrixAtOnceMoveItAndTheIdleLastRowIsNoLoss() throws {
        let cells = (0..<4).flatMap { column in (0..<4).map { (column, $0) } }
        let animations = cells.map { column, row in
            let rest: Double = column == row ? 1 : 0
            let end = column == 3 && row < 3 ? Double(row + 1) : rest
            return SmallDocument.animation(
                "a\(column)\(row)", "N/m(\(column))(\(row))", times: [0, 1], values: [rest, end], "LINEAR")
        }.joined()
        let conversion = try Self.moved("<matrix sid=\"m\">\(Self.identity)</matrix>", animations)
        #expect(try Self.corner(conversion, at: 1).isNear([1, 2, 3]))
        #expect(conversion.report.losses.isEmpty, "\(conversion.report.losses)")
    }

    @Test(arguments: [("N/m(0)(3)", [0.0, 2]), ("N/m(15)", [1, 0.5])])
    func aChannelIntoTheLastRowOfAMatrixIsTold(target: String, values: [Double]) throws {
        let conversion = try Self.moved(
            "<matrix sid=\"m\">\(Self.identity)</matrix>",
            SmallDocument.animation("a", target, times: [0, 1], values: values, "LINEAR"))
        let told = conversion.report.entries.first { $0.subject == .lastRows }
        #expect(told?.change == .dropped && told?.places == ["N"])
        #expect(conversion.checker.file?.list("animations").isEmpty == true)
        var options = ExportOptions()
        options.isLossless = true
        #expect(throws: SceneExportError.self) { try Conversion(conversion.scene, options: options) }
    }

    // MARK: - Lookats without an up

    @Test func aLookatWhoseUpIsAlongItsViewKeepsItsDirection() throws {
        var document = SmallDocument()
        document.nodes =
            "<node id=\"N\"><lookat>0 0 0 0 1000 0 0 1 0</lookat><instance_geometry url=\"#square\"/></node>"
        let points = try #require(Conversion(document.bytes).played?.points())
        // A quarter turn about x.
        #expect(points.contains { $0.isNear([0, 0, 1]) } && points.contains { $0.isNear([1, 0, 1]) })
    }
}

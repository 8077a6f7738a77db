import DaeExport
import DaeMesh
import DaeScene
import TestSupport
import Testing

/// A scale as robots' descriptions give it: along the axes of a link, of which Z points up.
@Suite struct ScaleTests {
    /// A pyramid from 0 0 0 to 1 2 3, whose faces point outwards.
    private static func pyramid(_ asset: String) -> SmallDocument {
        var document = SmallDocument()
        document.asset = asset
        document.geometries = """
            <geometry id="square"><mesh>\(SmallDocument.source("p", [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3], "XYZ"))
            <vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count="4">
            <input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry>
            """
        return document
    }

    private static func options(_ scale: SIMD3<Double>, up: ExportOptions.UpAxis = .y) -> ExportOptions {
        var options = ExportOptions()
        options.scale = scale
        options.upAxis = up
        return options
    }

    /// The corners of the triangles of an STL.
    private static func corners(_ document: SmallDocument, _ options: ExportOptions) throws -> [SIMD3<Double>] {
        let place = try TemporaryFolder()
        let scene = try Conversion.scene(of: document.bytes)
        _ = try ExportFormat.stl.write(scene, to: place.path + "/a.stl", options: options)
        let bytes = try Repository.bytes(at: place.path + "/a.stl")
        func number(_ start: Int) -> Double {
            Double(Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }))
        }
        return stride(from: 84, to: bytes.count, by: 50).flatMap { face in
            (1...3).map { corner in
                let start = face + 12 * corner
                return SIMD3(number(start), number(start + 4), number(start + 8))
            }
        }
    }

    private static func box(_ points: [SIMD3<Double>]) -> (min: SIMD3<Double>, max: SIMD3<Double>) {
        points.reduce((points[0], points[0])) { (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1)) }
    }

    private static func isNear(_ one: SIMD3<Double>, _ other: SIMD3<Double>) -> Bool {
        let way = one - other
        return (way * way).sum() < 1e-10
    }

    /// Six times what triangles enclose; above 0 where they point outwards.
    private static func volume(_ points: [SIMD3<Double>]) -> Double {
        stride(from: 0, to: points.count - 2, by: 3).reduce(0) { sum, at in
            let (a, b, c) = (points[at], points[at + 1], points[at + 2])
            let cross = SIMD3(b.y * c.z - b.z * c.y, b.z * c.x - b.x * c.z, b.x * c.y - b.y * c.x)
            return sum + (a * cross).sum()
        }
    }

    @Test(arguments: [
        ("Z_UP", ExportOptions.UpAxis.y, [0.0, 0, -6], [2.0, 15, 0]),
        ("Z_UP", .z, [0, 0, 0], [2, 6, 15]), ("Z_UP", .kept, [0, 0, 0], [2, 6, 15]),
        ("Y_UP", .y, [0, 0, 0], [2, 10, 9]), ("Y_UP", .z, [0, -9, 0], [2, 0, 10]),
        ("X_UP", .z, [-4, 0, 0], [0, -9, 5]),
    ])
    func theScaleIsAlongTheAxesOfTheLink(
        axis: String, up: ExportOptions.UpAxis, low: [Double], high: [Double]
    ) throws {
        let document = Self.pyramid("<unit meter=\"1\"/><up_axis>\(axis)</up_axis>")
        let corners = try Self.corners(document, Self.options([2, 3, 5], up: up))
        let box = Self.box(corners)
        let (one, other) = (SIMD3(low), SIMD3(high))
        #expect(Self.isNear(box.min, pointwiseMin(one, other)), "\(box)")
        #expect(Self.isNear(box.max, pointwiseMax(one, other)), "\(box)")
        #expect(abs(Self.volume(corners) - 180) < 1e-6)
    }

    @Test func unitsComeFirst() throws {
        let document = Self.pyramid("<unit meter=\"0.01\"/><up_axis>Z_UP</up_axis>")
        let box = Self.box(try Self.corners(document, Self.options([2, 3, 5])))
        #expect(Self.isNear(box.min, [0, 0, -0.06]) && Self.isNear(box.max, [0.02, 0.15, 0]), "\(box)")
    }

    @Test(arguments: [[-1.0, 1, 1], [1, -2, 1], [1, 1, -3], [-1, -1, -1], [-1, -1, 1]])
    func whatIsMirroredPointsOutwardsStill(factors: [Double]) throws {
        let document = Self.pyramid("<unit meter=\"1\"/><up_axis>Z_UP</up_axis>")
        let corners = try Self.corners(document, Self.options(SIMD3(factors)))
        #expect(abs(Self.volume(corners) - 6 * abs(factors[0] * factors[1] * factors[2])) < 1e-6)
    }

    @Test func skinsAreScaledOnce() throws {
        var document = SkinDocument()
        document.nodes = SkinDocument.joint() + "<node id=\"n\">\(SkinDocument.instance())</node>"
        let conversion = try Conversion(document.bytes, options: Self.options([2, 3, 5]))
        let box = try conversion.posedBounds()
        #expect(Self.isNear(box.min, [0, 0, 0]) && Self.isNear(box.max, [2, 5, 0]), "\(box)")
        #expect(conversion.checker.faults.isEmpty)
    }

    /// Also below the root that takes a scene into another system.
    @Test func aSceneThatWasConvertedIsScaledInItsOwnAxes() throws {
        let document = Self.pyramid("<unit meter=\"0.01\"/><up_axis>Z_UP</up_axis>")
        let scene = try Conversion.scene(of: document.bytes)
        for converted in [scene.converted(toMeters: 1, up: .y), scene.converted(toMeters: 0.1, up: .x)] {
            let place = try TemporaryFolder()
            let options = Self.options([2, 3, -5])
            _ = try ExportFormat.stl.write(scene, to: place.path + "/a.stl", options: options)
            _ = try ExportFormat.stl.write(converted, to: place.path + "/b.stl", options: options)
            let isSame = try Repository.bytes(at: place.path + "/a.stl") == Repository.bytes(at: place.path + "/b.stl")
            #expect(isSame)
        }
        #expect(scene.scaled(by: [1, 1, 1]) == scene)
    }
}

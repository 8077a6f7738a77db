import DaeScene
import TestSupport
import Testing

@testable import DaeMesh

/// Small polygons whose triangles are known.
@Suite struct TriangulationShapeTests {
    private var triangulator = Triangulator()

    private mutating func cut(_ points: [SIMD3<Double>]) -> (triangles: [[Int32]], result: Triangulation) {
        let positions = points.flatMap { [$0.x, $0.y, $0.z] }
        let corners = (0..<Int32(points.count)).map { $0 }
        var output: [Int32] = []
        let result = triangulator.triangulate(corners: corners.span, positions: positions.span, into: &output)
        return (stride(from: 0, to: output.count, by: 3).map { Array(output[$0..<$0 + 3]) }, result)
    }

    @Test mutating func aTriangleStaysAsItIs() {
        let (triangles, result) = cut([[0, 0, 0], [1, 0, 0], [0, 1, 5]])
        #expect(triangles == [[0, 1, 2]])
        #expect(result.triangles == 1 && result.degenerate == 0 && result.traits == [])
    }

    @Test mutating func aRectangleIsCutFromItsFirstCorner() {
        #expect(cut([[0, 0, 0], [2, 0, 0], [2, 1, 0], [0, 1, 0]]).triangles == [[0, 1, 2], [0, 2, 3]])
        #expect(
            cut([[0.1, 0, 0], [2.3, 0, 0], [2.3, 0.7, 0], [0.1, 0.7, 0]]).triangles == [[0, 1, 2], [0, 2, 3]])
    }

    @Test mutating func aQuadIsCutAlongItsShorterDiagonal() {
        #expect(cut([[0, 0, 0], [2, 0, 0], [3, 1, 0], [1, 1, 0]]).triangles == [[0, 1, 3], [1, 2, 3]])
        #expect(cut([[1, 0, 0], [3, 0, 0], [2, 1, 0], [0, 1, 0]]).triangles == [[0, 1, 2], [0, 2, 3]])
    }

    @Test(arguments: 0..<4)
    mutating func aDartIsCutFromItsInnerCorner(_ turn: Int) {
        let dart: [SIMD3<Double>] = [[0, 0, 0], [4, 0, 0], [1, 1, 0], [0, 4, 0]]
        let (triangles, result) = cut((0..<4).map { dart[($0 + turn) % 4] })
        let inner = Int32((2 - turn + 4) % 4)
        #expect(triangles.count == 2 && triangles.allSatisfy { $0.contains(inner) })
        #expect(result.traits == .concave)
        #expect(result.degenerate == 0)
    }

    @Test mutating func aSaddleIsTold() {
        let (triangles, result) = cut([[0, 0, 0], [1, 0, 0.5], [1, 1, 0], [0, 1, 0.5]])
        #expect(triangles.count == 2)
        #expect(result.traits == .nonPlanar)
        #expect(cut([[0, 0, 0], [1, 0, 1e-6], [1, 1, 0], [0, 1, 0]]).result.traits == [])
    }

    @Test mutating func aBentConcavePolygonIsCutOnItsBestPlane() {
        // Seen along any axis but its normal, this L crosses itself or is a line.
        let flat: [SIMD2<Double>] = [[0, 0], [4, 0], [4, 1], [1, 1], [1, 4], [0, 4]]
        let x = SIMD3<Double>(1, -1, 0) / 2.0.squareRoot()
        let y = SIMD3<Double>(1, 1, -2) / 6.0.squareRoot()
        let normal = SIMD3<Double>(1, 1, 1) / 3.0.squareRoot()
        let points = flat.enumerated().map { place, point in
            x * point.x + y * point.y + normal * (place % 2 == 0 ? 0.2 : 0)
        }
        let (triangles, result) = cut(points)
        #expect(result.traits == [.concave, .nonPlanar])
        #expect(triangles.count == 4)
        for triangle in triangles {
            #expect(DrawnPolygon.doubleArea(triangle.map { flat[Int($0)] }) > 0)
        }
    }

    @Test mutating func aConvexPolygonIsAFan() {
        let points = (0..<7).map {
            SIMD3(DrawnPolygon.cosine(Double($0) * 0.8), DrawnPolygon.cosine(Double($0) * 0.8 - .pi / 2), 0)
        }
        let (triangles, result) = cut(points)
        #expect(triangles == (1..<6).map { [0, $0, $0 + 1] })
        #expect(result.traits == [])
    }

    @Test mutating func aPentagramIsTold() {
        let points = (0..<5).map { corner -> SIMD3<Double> in
            let angle = Double(corner) * 4 * .pi / 5
            return SIMD3(DrawnPolygon.cosine(angle), DrawnPolygon.cosine(angle - .pi / 2), 0)
        }
        let (triangles, result) = cut(points)
        #expect(triangles.count == 3)
        #expect(result.traits.contains(.selfIntersecting))
    }

    @Test mutating func aBowTieIsTold() {
        let (triangles, result) = cut([[0, 0, 0], [1, 1, 0], [1, 0, 0], [0, 1, 0]])
        #expect(triangles.count == 2)
        #expect(result.traits.contains(.selfIntersecting))
    }

    @Test mutating func sharedPositionsKeepTheirCorners() {
        let positions: [Double] = [9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0]
        let corners: [Int32] = [1, 2, 3]
        var output: [Int32] = [7]
        _ = triangulator.triangulate(corners: corners.span, positions: positions.span, into: &output)
        #expect(output == [7, 0, 1, 2])
    }

    @Test func stripsAlternate() {
        var output: [Int32] = []
        let corners: [Int32] = [5, 6, 7, 7, 9]
        let result = StripsAndFans.unroll(strip: corners.span, into: &output)
        #expect(output == [0, 1, 2, 2, 1, 3, 2, 3, 4])
        #expect(result.triangles == 3)
        #expect(result.degenerate == 2)
    }

    @Test func fansKeepTheirFirstCorner() {
        var output: [Int32] = []
        let corners: [Int32] = [5, 6, 7, 5, 9]
        let result = StripsAndFans.unroll(fan: corners.span, into: &output)
        #expect(output == [0, 1, 2, 0, 2, 3, 0, 3, 4])
        #expect(result.triangles == 3)
        #expect(result.degenerate == 2)
    }

    @Test func tooFewCornersGiveNothing() {
        var output: [Int32] = []
        for corners in [[], [1], [1, 2]] as [[Int32]] {
            #expect(StripsAndFans.unroll(strip: corners.span, into: &output).triangles == 0)
            #expect(StripsAndFans.unroll(fan: corners.span, into: &output).triangles == 0)
        }
        #expect(output.isEmpty)
    }
}

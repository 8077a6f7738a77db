import Daedalus
import Testing

@Suite(.enabled(if: ConformanceSuite.isHere, ConformanceSuite.absence))
struct GeometryCases {
    @Test(arguments: geometryFamily.joined()) func meshes(_ row: ConformanceCase) throws { try row.run() }
}

private let mesh = "collada/library_geometries/geometry/mesh"
private let other = "1_5/collada_other/library_geometries/geometry/mesh"
/// Most cases draw a square of 50 cm, three times as large.
private let square = [-0.75, -0.75, 0.75, 0.75, 0.75, 0.75]
private let flatSquare = [-0.75, -0.75, 0, 0.75, 0.75, 0]
private let shapes = [-1.175, -0.375, 0, 1.175, 0.375, 0]
private let star = [-0.7, -0.7, 0, 0.7, 0.7, 0]

let geometryFamily: ConformanceFamily = [
    // MARK: Polygons
    both(
        "\(mesh)/mixed/polygons_polylist_triangles",
        "a square as polygons, a triangle as triangles, a hexagon as polylist"
    ) {
        $0.expectDrawn(triangles: 7, box: shapes)
        // 50 × 50, half of that, and 50 × 30 with two gables of 10, each 1.5 times as large.
        expect($0.area, 2.25 * (0.25 + 0.125 + 0.2))
        #expect($0.kinds == [.polygons, .triangles, .polylist])
    },
    both("\(mesh)/_reference/_reference_polygons_polylist_triangles", "the same three shapes, all as triangles") {
        $0.expectDrawn(triangles: 7, box: shapes)
        expect($0.area, 2.25 * (0.25 + 0.125 + 0.2))
        #expect($0.kinds == [.triangles, .triangles, .triangles])
    },
    only("\(mesh)/polygons/concave_polygons", "a polygon of eight corners, four of them dents: six triangles within it")
    {
        $0.expectDrawn(triangles: 6, box: star)
        // A square of 20 less two triangles of 20 × 5, seven times as large.
        expect($0.area, 49 * 0.03)
    },
    only(
        "\(mesh)/_reference/_reference_concave_triangulated",
        "the same, cut by hand; its triangles name vertices that are not there", finds: [.accessorNoSource]
    ) {
        $0.expectDrawn(triangles: 6, box: star)
        expect($0.area, 49 * 0.03)
    },
    only("\(mesh)/polygons/convex_polygons", "a hexagon of two trapezia") {
        $0.expectDrawn(triangles: 4, box: star)
        expect($0.area, 49 * 0.03)
    },
    only(
        "\(mesh)/_reference/_reference_convex_triangulated",
        "the same, cut by hand; its triangles name vertices that are not there", finds: [.accessorNoSource]
    ) {
        $0.expectDrawn(triangles: 4, box: star)
        expect($0.area, 49 * 0.03)
    },
    only("\(mesh)/polygons/one_geometry_one_polygons", "six squares in one polygons element, each in a p of its own") {
        let cube = try $0.mesh("pCubeShape1")
        #expect(cube.primitives.count == 1 && cube.primitives[0].cornerCounts == [4, 4, 4, 4, 4, 4])
        #expect($0.flat().triangles.count == 12)
        expect($0.inspection.scene.bounds?.size.list, [111.589202, 74.569357, 112.812818])
    },
    only("\(mesh)/polygons/normal_polygons", "normals of their own, two of them the wrong way round") {
        try expect($0.values(.normal, of: "cube").first, [0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, -1])
        #expect(Set($0.flat().triangles.flatMap(\.corners).map(\.normal.z)) == [1, -1])
    },
    only("\(mesh)/_reference/_reference_semantic_normal", "the same square with all normals towards the viewer") {
        #expect(Set($0.flat().triangles.flatMap(\.corners).map(\.normal.z)) == [1])
        $0.expectDrawn(triangles: 2, box: square)
    },

    // MARK: Positions of two numbers
    both("\(mesh)/polygons/2d_polygons", "polygons of x and y alone lie at z = 0") {
        $0.expectDrawn(triangles: 2, box: flatSquare)
        try #expect($0.mesh("cube").streams.first?.lanes.count == 2)
    },
    both("\(mesh)/polylist/2d_polylist", "a polylist of x and y alone lies at z = 0") {
        $0.expectDrawn(triangles: 2, box: flatSquare)
    },
    only("\(mesh)/triangles/2d_triangles", "triangles of x and y alone lie at z = 0") {
        $0.expectDrawn(triangles: 2, box: flatSquare)
    },
    both("\(mesh)/_reference/_reference_2d", "the same square with z written") {
        $0.expectDrawn(triangles: 2, box: flatSquare)
        try #expect($0.mesh("cube").streams.first?.lanes.count == 3)
    },

    // MARK: Inputs
    both("\(mesh)/input/semantic_3_inputs_of_same_offset", "position, colour and texture coordinates share one index") {
        let primitive = try #require(try $0.mesh("cube").primitives.first)
        #expect(primitive.stride == 1 && primitive.inputs.map(\.offset) == [0, 0, 0])
        try expect($0.values(.color, of: "cube").first, [1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1])
        try expect($0.values(.texcoord, of: "cube").first, [0, 0, 1, 0, 0, 1, 1, 1])
        #expect($0.inspection.images.map(\.path) == ["collada.png"])
    },
    both("\(mesh)/_reference/_reference_position_texcoord_color", "the same with an index each") {
        let primitive = try #require(try $0.mesh("cube").primitives.first)
        #expect(primitive.stride == 3 && primitive.indices == [0, 0, 0, 1, 1, 1, 3, 3, 3, 2, 2, 2])
        $0.expectDrawn(triangles: 2, box: square)
    },
    both(
        "\(mesh)/customized/3d", "an input of nobody's meaning and its three names a corner are kept",
        finds: [.accessorParamType]
    ) {
        let mesh = try $0.written("cubeShape")
        #expect(mesh.primitives.first?.inputs.map(\.semantic) == ["VERTEX", "CUSTOM"])
        #expect(mesh.sources.last?.array == .names("abcdefghijkl".map(String.init)))
        $0.expectDrawn(triangles: 2, box: [-0.5, -0.5, 0.5, 0.5, 0.5, 0.5])
    },
    both(
        "\(mesh)/source/float_array/NaN", "texture coordinates that are all NaN cost nothing else",
        finds: [.numberNonFinite]
    ) {
        try #expect($0.values(.texcoord, of: "cube").first?.allSatisfy(\.isNaN) == true)
        $0.expectDrawn(triangles: 2, box: square)
    },
    both("\(mesh)/vertices/input/position_without_primitive", "positions that no primitive uses draw nothing") {
        #expect($0.flat().triangles.isEmpty && $0.inspection.scene.bounds == nil)
        try expect($0.values(.position, of: "cube").first, [-25, -25, 25, 25, -25, 25, -25, 25, 25, 25, 25, 25])
    },
    both("\(mesh)/_reference/_reference_no_geometry", "nothing but a camera and a light") {
        #expect($0.flat().triangles.isEmpty && $0.scene.geometries.isEmpty)
    },
    only("\(other)/source/technique_common/accessor/param/unnamed", "params without a name skip a number each") {
        try expect($0.values(.position, of: "cube").first, [-25, -25, 25, 25, -25, 25, -25, 25, 25, 25, 25, 25])
        try expect($0.values(.texcoord, of: "cube").first, [0, 0, 1, 0, 1, 1, 0, 1])
        $0.expectDrawn(triangles: 2, box: square)
    },

    // MARK: Lines, strips and fans
    only("\(other)/lines/multi_geometries_one_lines", "24 segments: each edge of a cube, seen from both of its sides") {
        #expect($0.flat().segments.count == 24 && $0.edges == 12 && $0.inspection.counts.submeshes == 1)
    },
    only("\(other)/lines/multi_geometries_multi_lines", "the same 24 segments in two elements") {
        #expect($0.flat().segments.count == 24 && $0.edges == 12 && $0.inspection.counts.submeshes == 2)
    },
    only(
        "\(other)/linestrips/multi_geometries_one_linestrips/multi_geometries_one_linestripss.dae",
        "six closed strips of four segments: the edges of a cube again"
    ) {
        #expect($0.flat().segments.count == 24 && $0.edges == 12)
        try #expect($0.mesh("pCubeShape1").primitives.first?.cornerCounts == [5, 5, 5, 5, 5, 5])
    },
    only("\(other)/linestrips/multi_geometries_multi_linestrips", "one closed strip: a square") {
        #expect($0.flat().segments.count == 4 && $0.edges == 4)
    },
    only("\(other)/trifans/multi_geometries_one_trifans", "308 fans are a sphere of 760 triangles, 210 a torus of 800")
    {
        #expect($0.flat().triangles.count == 1560 && $0.kinds == [.trifans, .trifans])
        #expect($0.isClosed)
    },
    only("\(other)/trifans/multi_geometries_multi_trifans", "the same in 7 and 5 elements") {
        #expect($0.flat().triangles.count == 1560 && $0.inspection.counts.submeshes == 12)
        #expect($0.isClosed)
        expect(
            $0.area,
            try ConformanceReading("\(other)/trifans/multi_geometries_one_trifans/multi_geometries_one_trifans.dae")
                .area)
    },
    only(
        "\(other)/tristrips/multi_geometries_one_tristrips",
        "the same sphere and torus as strips, every second triangle turned; some have no area"
    ) {
        #expect($0.flat().triangles.count == 804 + 803 && $0.kinds == [.tristrips, .tristrips])
        #expect($0.isClosed)
        expect(
            $0.area,
            try ConformanceReading("\(other)/trifans/multi_geometries_one_trifans/multi_geometries_one_trifans.dae")
                .area)
    },
    only("\(other)/tristrips/multi_geometries_multi_tristrips", "the same strips in 6 and 4 elements") {
        #expect($0.flat().triangles.count == 804 + 803 && $0.inspection.counts.submeshes == 10)
        #expect($0.isClosed)
    },
]

private struct MissingMesh: Error {
    let geometry: String
}

extension ConformanceReading {
    /// A mesh as the file says it.
    fileprivate func written(_ geometry: String) throws -> ColladaDocument.Mesh {
        guard case .mesh(let mesh)? = document.geometries.first(where: { $0.id == geometry })?.kind else {
            throw MissingMesh(geometry: geometry)
        }
        return mesh
    }

    /// Of all that is drawn, in square metres.
    fileprivate var area: Double {
        flat().triangles.reduce(0) { sum, triangle in
            let points = triangle.corners.map(\.position)
            return sum + (points[1] - points[0]).cross(points[2] - points[0]).length / 2
        }
    }

    /// Of every primitive of every mesh.
    fileprivate var kinds: [Mesh.Primitive.Kind] {
        scene.geometries.flatMap { $0.mesh?.primitives.map(\.kind) ?? [] }
    }

    /// Different segments, whichever way they run.
    fileprivate var edges: Int {
        var welder = VertexWelder(tolerance: 1e-6)
        return Set(
            flat().segments.map {
                $0.ends.map { welder.number(of: FlatVertex(position: $0.position)) }.sorted()
            }
        ).count
    }

    /// Whether the triangles with an area close their bodies: each side runs as often one way as the other.
    fileprivate var isClosed: Bool {
        var welder = VertexWelder(tolerance: 1e-6)
        var sides: [[Int]: Int] = [:]
        for triangle in flat().triangles {
            let corners = triangle.corners.map { welder.number(of: FlatVertex(position: $0.position)) }
            guard Set(corners).count == 3 else { continue }
            for (from, to) in zip(corners, corners[1...] + corners[..<1]) {
                sides[[min(from, to), max(from, to)], default: 0] += from < to ? 1 : -1
            }
        }
        return sides.values.allSatisfy { $0 == 0 }
    }
}

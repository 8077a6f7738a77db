import Daedalus
import Testing

@Suite(.enabled(if: ConformanceSuite.isHere, ConformanceSuite.absence))
struct BrepCases {
    @Test(arguments: brepFamily.joined()) func exactShapes(_ row: ConformanceCase) throws { try row.run() }
}

private let mesh = "1_5/collada/library_geometries/geometry/mesh"
private let surface = mesh + "/brep/surface"

/// Exact shapes are read as structure and not cut into triangles, which is told.
let brepFamily: ConformanceFamily = [
    only(
        "\(mesh)/_reference/_reference_brep",
        "a ring: two cylinders, two planes; ids with a torn hyphen, and two curves short of the count",
        finds: [.geometryUnsupportedKind, .accessorNoSource, .primitiveCountMismatch]
    ) {
        let brep = try $0.brep
        #expect(brep.curves.count == 6 && brep.surfaceCurves.count == 12)
        #expect(brep.curves.map(\.form).contains(.circle(radius: 3)))
        #expect(brep.surfaces.map(\.form) == [.cylinder(radius: 5), upright, upright, .cylinder(radius: 3)])
        #expect(brep.surfaces[2].placement.origin == SIMD3(0, 0, 10))
        try $0.expectTopology([.edges: 6, .wires: 6, .faces: 4, .pcurves: 10, .shells: 1, .solids: 1])
    },
    only(
        "\(mesh)/brep/curve/line", "a straight edge; ids with a torn hyphen",
        finds: [.geometryUnsupportedKind, .accessorNoSource]
    ) {
        let brep = try $0.brep
        guard case .line(let origin, let direction)? = brep.curves.first?.form else {
            Issue.record("no line: \(brep.curves)")
            return
        }
        expect(origin.list + direction.list, [7, 0, 0, 0, 0, 1])
        #expect(brep.curves.count == 1 && brep.surfaces.isEmpty)
        try $0.expectTopology([.edges: 1])
    },
    only(
        "\(surface)/cylinder", "a tube of two halves with a radius of 20",
        finds: [.geometryUnsupportedKind, .accessorParamType]
    ) {
        let brep = try $0.brep
        #expect(brep.surfaces.map(\.form) == [.cylinder(radius: 20), .cylinder(radius: 20)])
        #expect(brep.surfaces.allSatisfy { $0.placement.origin == SIMD3(0, 100, 0) })
        #expect(brep.curves.count == 6 && brep.surfaceCurves.count == 8)
        try $0.expectTopology([.edges: 6, .wires: 2, .faces: 2, .pcurves: 8, .shells: 1, .solids: 0])
    },
    only(
        "\(surface)/plane", "a box of six planes, turned into place",
        finds: [.geometryUnsupportedKind, .accessorParamType]
    ) {
        let brep = try $0.brep
        #expect(brep.surfaces.map(\.form) == Array(repeating: upright, count: 6))
        #expect(brep.surfaces.map(\.placement.orients.count) == [2, 2, 2, 1, 0, 0])
        #expect(brep.curves.count == 12 && brep.surfaceCurves.count == 24)
        try $0.expectTopology([.edges: 12, .wires: 6, .faces: 6, .pcurves: 24])
    },
    only(
        "\(surface)/sphere", "two halves of a ball with a radius of 20",
        finds: [.geometryUnsupportedKind, .accessorParamType]
    ) {
        let brep = try $0.brep
        #expect(brep.surfaces.map(\.form) == [.sphere(radius: 20), .sphere(radius: 20)])
        #expect(brep.curves.count == 3 && brep.surfaceCurves.count == 8)
        try $0.expectTopology([.edges: 6, .wires: 2, .faces: 2, .pcurves: 8, .shells: 1, .solids: 0])
    },
    only("\(surface)/cone", "a cone of 45°, in no scene", finds: [.geometryUnsupportedKind]) {
        let brep = try $0.brep
        #expect(brep.surfaces.map(\.form) == [.cone(radius: 1, angle: 45)])
        #expect(brep.curves.count == 4 && brep.surfaceCurves.count == 4)
        try $0.expectTopology([.edges: 4, .wires: 1, .faces: 1, .pcurves: 4])
        #expect($0.document.scene == nil)
    },
]

private let upright = ColladaDocument.Surface.Form.plane(equation: SIMD4(0, 0, 1, 0))

extension ConformanceReading {
    fileprivate var brep: ColladaDocument.Brep {
        get throws { try #require(document.geometries.first?.kind.brep) }
    }

    /// How many elements there are of each level that is named.
    fileprivate func expectTopology(
        _ expected: [ColladaDocument.Topology.Kind: Int], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for (kind, count) in expected {
            let elements = try brep.topology(kind)?.elements
            #expect(elements == count, "\(kind)", sourceLocation: sourceLocation)
        }
        #expect(flat().triangles.isEmpty, sourceLocation: sourceLocation)
    }
}

import ColladaParser
import Diagnostics
import Testing

@Suite struct GeometrySpotTests {
    /// Tells the place of each geometry, as it is and as it is kept.
    private struct Examiner: UnitExaminer {
        private var last: GeometrySpot?

        mutating func examine(_ geometry: GeometryUnit, _ log: inout FindingLog) {
            let spot = geometry.spot(after: last)
            last = spot
            log.add(.perfUnindexed, at: geometry.place, "")
            log.add(.perfDuplicateGeometry, at: spot.place, "")
        }
        mutating func examine(_ skin: SkinUnit, _ log: inout FindingLog) {}
        mutating func examine(_ sampler: SamplerUnit, _ log: inout FindingLog) {}
        func asksAgain(of mesh: ColladaDocument.Mesh) -> Bool { false }
    }

    @Test func aPlaceThatIsKeptIsTheOneThatItWas() throws {
        let mesh = "<mesh><vertices id=\"v\"/></mesh>"
        let document = """
            <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
            <library_geometries>
            <geometry id="a" name="A">\(mesh)</geometry><geometry id="b">\(mesh)\(mesh)</geometry>
            <geometry>\(mesh)</geometry><geometry name="c">\(mesh)</geometry>
            <geometry id="d"><mesh id="m"><vertices id="w"/></mesh></geometry>
            <geometry id="e"><convex_mesh convex_hull_of="#a"><vertices id="x"/></convex_mesh></geometry>
            </library_geometries>
            <library_geometries><geometry id="f">\(mesh)</geometry></library_geometries>
            <library_geometries id="l"><geometry id="g">\(mesh)</geometry><geometry id="h">\(mesh)</geometry>
            </library_geometries>
            </COLLADA>
            """
        var options = ColladaOptions()
        options.examiner = { Examiner() }
        let log = try ColladaParser.read(Array(document.utf8), options: options).log
        let places = log.findings.filter { $0.code == .perfUnindexed }.map(\.place)
        #expect(places.count == 9)
        #expect(log.findings.filter { $0.code == .perfDuplicateGeometry }.map(\.place) == places)
        #expect(places.last?.path == "/COLLADA/library_geometries[@id='l']/geometry[@id='h']/mesh")
    }
}

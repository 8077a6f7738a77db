import DaeDiagnostics
import DaeXML
import Testing

@testable import DaeCollada

@Suite struct DocumentOutlineTests {
    /// Tells the place of each geometry with its path, and by its position alone.
    private struct Examiner: UnitExaminer {
        mutating func examine(_ geometry: GeometryUnit, _ log: inout FindingLog) {
            log.add(.perfUnindexed, at: geometry.place, "")
            log.add(.perfDuplicateGeometry, at: Place(geometry.position, of: nil), "")
        }
        mutating func examine(_ skin: SkinUnit, _ log: inout FindingLog) {}
        mutating func examine(_ sampler: SamplerUnit, _ log: inout FindingLog) {}
        func asksAgain(of mesh: ColladaDocument.Mesh) -> Bool { false }
    }

    private static func read(_ text: String, _ change: (inout ColladaOptions) -> Void = { _ in }) throws
        -> ColladaParser.Reading
    {
        var options = ColladaOptions()
        options.keepsOutline = true
        change(&options)
        return try ColladaParser.read(Array(text.utf8), options: options)
    }

    @Test func aPositionBecomesThePlaceThatTheReaderKnew() throws {
        let mesh = "<mesh><vertices id=\"v\"/></mesh>"
        let reading = try Self.read(
            """
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
        ) { $0.examiner = { Examiner() } }
        var log = FindingLog()
        log.merge(reading.log, entry: "a.dae")
        #expect(log.findings.contains { $0.code == .perfDuplicateGeometry && $0.place.path == nil })
        try reading.document.linked().completePlaces(of: &log, entry: "a.dae")
        let places = log.findings.filter { $0.code == .perfUnindexed }.map(\.place)
        #expect(places.count == 9)
        #expect(log.findings.filter { $0.code == .perfDuplicateGeometry }.map(\.place) == places)
        #expect(places.last?.path == "/COLLADA/library_geometries[@id='l']/geometry[@id='h']/mesh")
    }

    /// What is asked for by `?`, which is no markup.
    private static func elements(in text: String) throws -> [DocumentOutline.Element?] {
        let parts = text.split(separator: "?", omittingEmptySubsequences: false)
        var places: [Int64] = []
        for part in parts.dropLast() { places.append((places.last ?? 0) + Int64(part.utf8.count)) }
        let outline = try #require(try read(parts.joined()).document.outline)
        return outline.elements(at: places)
    }

    @Test func betweenElementsItIsTheInnermostAround() throws {
        let found = try Self.elements(
            in: """
                ?<!-- -->?<COLLADA ?version="1.4.1"><asset><!--? --><contributor>?<author>a?b?</author><!--? -->
                </contributor>?</asset>?</COLLADA>?
                """)
        #expect(
            found.map { $0?.path } == [
                nil, "/COLLADA", "/COLLADA", "/COLLADA/asset", "/COLLADA/asset/contributor/author",
                "/COLLADA/asset/contributor/author", "/COLLADA/asset/contributor/author",
                "/COLLADA/asset/contributor", "/COLLADA/asset", "/COLLADA", nil,
            ])
    }

    @Test func elementsThatAreNotReadHaveTheirPathsToo() throws {
        let found = try Self.elements(
            in: """
                <COLLADA version="1.4.1"><extra><technique profile="x"><a/>?<b id=""/>?<a>?<c:a xmlns:c="c"/></a>?<a/>
                </technique><technique profile="y">?<a x:id="no" xmlns:x="x"/></technique></extra>
                <extra id="ä"><technique profile="x">?<node/></technique></extra></COLLADA>
                """)
        #expect(
            found.map { $0?.path } == [
                "/COLLADA/extra/technique/b[@id='']", "/COLLADA/extra/technique/a[2]",
                "/COLLADA/extra/technique/a[2]/a", "/COLLADA/extra/technique/a[3]",
                "/COLLADA/extra/technique[2]/a", "/COLLADA/extra[@id='ä']/technique/node",
            ])
        #expect(found.map { $0?.id } == ["", nil, nil, nil, nil, "ä"])
    }

    @Test(arguments: [0, 16 << 20]) func ofALongDocumentMostMayLieInAFile(memoryBytes: Int) throws {
        let count = 200_000
        var text = "<COLLADA version=\"1.4.1\"><library_nodes>"
        var places: [Int64] = []
        for index in 0..<count {
            places.append(Int64(text.utf8.count))
            text += index % 3 == 0 ? "<node id=\"n\(index)\"/>" : "<node/>"
        }
        text += "</library_nodes></COLLADA>"
        var spool = NumberSpool(fileBytes: 1 << 30)
        spool.memoryBytes = memoryBytes
        let outline = try #require(try Self.read(text) { $0.spool = spool }.document.outline)
        let found = outline.elements(at: places)
        for index in stride(from: 0, to: count, by: 997) {
            let step = index % 3 == 0 ? "[@id='n\(index)']" : "[\(index + 1)]"
            #expect(found[index]?.path == "/COLLADA/library_nodes/node\(step)")
        }
        // One that is too short for it is an error where it is needed, and not looked at otherwise.
        spool.fileBytes = 500_000
        let reading = Result { try Self.read(text) { $0.spool = spool } }
        #expect(((try? reading.get()) == nil) == (memoryBytes == 0))
    }

    @Test func nothingIsKeptUnlessItIsAskedFor() throws {
        let reading = try Self.read("<COLLADA version=\"1.4.1\"/>") { $0.keepsOutline = false }
        #expect(reading.document.outline == nil)
    }
}

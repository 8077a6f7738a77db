// Sizes are such that reading in squares, or again for each use, would take minutes instead of seconds.

import DaeArchive
import DaeDiagnostics
import DaePipeline
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct BudgetTests {
    private func inspect(_ name: String, _ bytes: [UInt8]) throws -> Inspection {
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: name)
        let outcome = withExtendedLifetime(folder) { Outcome(path: path, input: name) }
        switch outcome {
        case .read(let inspection): return inspection
        case .failed(let failure): throw Unread(message: failure.message)
        }
    }

    private struct Unread: Error { let message: String }

    private func document(_ contents: String, asset: String = "") -> [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="utf-8"?>
            <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
            <asset>\(asset)<created>2026-01-01T00:00:00Z</created><modified>2026-01-01T00:00:00Z</modified></asset>
            \(contents)
            </COLLADA>
            """.utf8)
    }

    @Test func manyAuthoringToolsAreListedInTimeThatGrowsWithThem() throws {
        let tools = (0..<100_000).map { "a tool with a longer name \($0)" }
        let contributors = (tools + ["a tool with a longer name 0"]).map {
            "<contributor><authoring_tool>\($0)</authoring_tool></contributor>"
        }
        let inspection = try inspect("a.dae", document("", asset: contributors.joined()))
        #expect(inspection.document.authoringTools == tools)
    }

    @Test func anImageFileThatCannotBeReadIsReadOnce() throws {
        let count = 3_000
        let images = (0..<count).map { "<image id=\"i\($0)\"><init_from>a.jpg</init_from></image>" }
        var builder = ZipBuilder()
        builder.add("a.dae", document("<library_images>\(images.joined())</library_images>"))
        // Fill bytes: only the end tells that there is no frame, and there the checksum is wrong.
        let fill = [0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 800_000)
        builder.addDeflated("a.jpg", fill) { $0.crc ^= 1 }
        let inspection = try inspect("a.zip", builder.bytes())
        #expect(inspection.images.count == count)
        #expect(inspection.images.allSatisfy { $0.path == "a.jpg" && $0.format == nil })
        #expect(inspection.findings.counts[.imageDataInvalid] == count)
    }

    @Test func aSizeThatIsNoNumberIsLeftOutAndTold() throws {
        let geometry = """
            <library_geometries><geometry id="g"><mesh>
            <source id="p"><float_array id="pa" count="9">0 0 0 1e300 0 0 0 1e300 0</float_array><technique_common>
            <accessor source="#pa" count="3" stride="3">
            <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
            </accessor></technique_common></source>
            <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
            <triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
            </mesh></geometry></library_geometries>
            <library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene>
            </library_visual_scenes>
            <scene><instance_visual_scene url="#s"/></scene>
            """
        let inspection = try inspect("a.dae", document(geometry, asset: "<unit name=\"x\" meter=\"1e308\"/>"))
        #expect(inspection.scene.bounds != nil)
        #expect(inspection.scene.sizeInMeters == nil)
        #expect(inspection.findings.counts[.sceneBoundsApproximate] == 1)
        let small = try inspect("a.dae", document(geometry))
        #expect(small.scene.sizeInMeters?.x == 1e300)
        #expect(small.findings.counts[.sceneBoundsApproximate] == nil)
    }
}

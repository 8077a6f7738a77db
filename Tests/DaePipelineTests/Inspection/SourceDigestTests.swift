import DaeArchive
import DaeCollada
import DaeCore
import DaePipeline
import TestSupport
import Testing

@Suite struct SourceDigestTests {
    private static func document(_ meshes: Int, padding: Int) -> [UInt8] {
        let mesh = """
            <mesh><source id="p"><float_array id="pa" count="9">0 0 0 1 0 0 0 1 0</float_array><technique_common>
            <accessor source="#pa" count="3" stride="3"><param name="X"/><param name="Y"/><param name="Z"/></accessor>
            </technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
            <triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh>
            """
        return Array(
            """
            <?xml version="1.0" encoding="utf-8"?>
            <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
            <library_geometries><geometry id="g">\(String(repeating: mesh, count: meshes))</geometry></library_geometries>
            <library_visual_scenes><visual_scene id="s"><node><rotate>0 0 1 30</rotate>
            <instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
            <!--\(String(repeating: "p", count: padding))-->
            <scene><instance_visual_scene url="#s"/></scene>
            </COLLADA>
            """.utf8)
    }

    private static func archive(_ change: (inout ZipBuilder) -> Void) -> [UInt8] {
        var zip = ZipBuilder()
        change(&zip)
        return zip.bytes()
    }

    private static let large = document(1, padding: 1_500_000)
    private static let sources: [(name: String, bytes: [UInt8])] = [
        ("small.dae", document(1, padding: 10)),
        ("large.dae", large),
        ("twoMeshes.dae", document(2, padding: 1_500_000)),
        ("packed.zip", archive { $0.addDeflated("a.dae", large) }),
        ("plain.zip", archive { $0.add("a.dae", large) }),
        // Its own bytes, not those that it unpacks to.
        ("packed.dae", Deflate.gzip(document(1, padding: 10))),
        ("large.dae.gz", Deflate.gzip(large)),
    ]

    @Test(arguments: sources.indices)
    func itIsOfAllBytesOfTheSource(index: Int) throws {
        let (name, bytes) = Self.sources[index]
        let folder = try TemporaryFolder()
        let bundle = try Bundle.open(path: folder.write(bytes, to: name))
        var options = ColladaOptions()
        options.retention = .figures
        for chunkSize in [700, 64 * 1024] {
            var inspector = Inspector(options: options)
            inspector.chunkSize = chunkSize
            let result = try inspector.inspect(bundle, BundleManifest.scene(of: bundle).choice, input: name)
            #expect(result.inspection.source.sha256 == SHA256Digest(hashing: bytes).hex, "\(chunkSize)")
        }
    }
}

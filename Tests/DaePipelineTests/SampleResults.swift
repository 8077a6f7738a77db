import DaeArchive
import DaeCore

@testable import DaePipeline

/// What stages give, made once from a triangle in memory.
extension Sample {
    private static let triangle = """
        <?xml version="1.0" encoding="utf-8"?>
        <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
          <asset><created>2026-01-01T00:00:00Z</created><modified>2026-01-01T00:00:00Z</modified></asset>
          <library_geometries><geometry id="g"><mesh>
            <source id="p"><float_array id="pa" count="9">0 0 0 1 0 0 0 1 0</float_array><technique_common>
              <accessor source="#pa" count="3" stride="3">
                <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
              </accessor></technique_common></source>
            <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
            <triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
          </mesh></geometry></library_geometries>
          <library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene>
          </library_visual_scenes>
          <scene><instance_visual_scene url="#s"/></scene>
        </COLLADA>
        """

    private static let results = Result {
        let bundle = try Bundle.open(MemoryByteSource(Array(triangle.utf8)), name: "triangle.dae")
        let (choice, findings) = try BundleManifest.scene(of: bundle)
        let read = try Inspector().inspect(bundle, choice, input: "triangle.dae", findings: findings)
        return (
            bundle: OpenedBundle(bundle: bundle, choice: choice, findings: findings),
            product: Model(inspection: read.inspection, scene: read.scene)
        )
    }

    static func file(_ name: String) -> AssetFile {
        AssetFile(name: name, location: .path(name), bytes: 10, input: name)
    }

    static func bundle() throws -> OpenedBundle { try results.get().bundle }

    static func product() throws -> Model { try results.get().product }

    /// Where an asset ends whose stages give the above.
    static func ready(_ attempt: Attempt = .first) throws -> AssetState {
        .ready(.init(attempt: attempt, summary: try product().summary))
    }
}

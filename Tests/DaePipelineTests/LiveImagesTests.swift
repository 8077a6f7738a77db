import DaeCollada
import DaeDiagnostics
import DaeDownload
import DaeExport
import DaeMesh
import DaePipeline
import TestSupport
import Testing

/// The pictures of a scene as an exporter asks for them.
@Suite struct LiveImagesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A TGA of one colour, blue, green, red and, of four numbers, alpha.
    private static func picture(_ width: Int, _ height: Int, _ color: [UInt8], rows: Int? = nil) -> [UInt8] {
        let body = (0..<width * (rows ?? height)).flatMap { _ in color }
        return [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(width), 0, UInt8(height), 0, UInt8(8 * color.count), 8] + body
    }

    /// Materials of a wide picture whose opacity is a tall one, each dimmed otherwise.
    private func source(_ materials: Int) throws -> String {
        func source(_ id: String, _ numbers: String, _ count: Int, _ params: [String]) -> String {
            """
            <source id="\(id)"><float_array id="\(id)-a" count="\(count * params.count)">\(numbers)</float_array>
            <technique_common><accessor source="#\(id)-a" count="\(count)" stride="\(params.count)">
            \(params.map { "<param name=\"\($0)\" type=\"float\"/>" }.joined())</accessor></technique_common></source>
            """
        }
        func sampler(_ image: String) -> String {
            "<newparam sid=\"\(image)-s\"><sampler2D><source>\(image)-f</source></sampler2D></newparam>"
                + "<newparam sid=\"\(image)-f\"><surface type=\"2D\"><init_from>\(image)</init_from></surface></newparam>"
        }
        func effect(_ number: Int) -> String {
            """
            <effect id="e\(number)"><profile_COMMON>\(sampler("wide"))\(sampler("tall"))<technique sid="t"><lambert>
            <diffuse><texture texture="wide-s" texcoord="UV"/></diffuse>
            <transparent opaque="A_ONE"><texture texture="tall-s" texcoord="UV"/></transparent>
            <transparency><float>\(Double(number + 1) / 10)</float></transparency></lambert></technique></profile_COMMON>
            </effect>
            """
        }
        func node(_ number: Int) -> String {
            """
            <node><instance_geometry url="#g"><bind_material><technique_common>
            <instance_material symbol="m" target="#m\(number)"><bind_vertex_input semantic="UV"
            input_semantic="TEXCOORD" input_set="0"/></instance_material></technique_common></bind_material>
            </instance_geometry></node>
            """
        }
        return try folder.write(
            """
            <?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset/>
            <library_images><image id="wide"><init_from>wide.tga</init_from></image>
            <image id="tall"><init_from>tall.tga</init_from></image></library_images>
            <library_effects>\((0..<materials).map(effect).joined())</library_effects>
            <library_materials>\((0..<materials).map { "<material id=\"m\($0)\"><instance_effect url=\"#e\($0)\"/></material>" }
                .joined())</library_materials>
            <library_geometries><geometry id="g"><mesh>\(source("p", "0 0 0 1 0 0 0 1 0", 3, ["X", "Y", "Z"]))
            \(source("u", "0 0 1 0 0 1", 3, ["S", "T"]))<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
            <triangles count="1" material="m"><input semantic="VERTEX" source="#v" offset="0"/>
            <input semantic="TEXCOORD" source="#u" offset="0" set="0"/><p>0 1 2</p></triangles></mesh></geometry>
            </library_geometries><library_visual_scenes><visual_scene id="S">\((0..<materials).map(node).joined())
            </visual_scene></library_visual_scenes><scene><instance_visual_scene url="#S"/></scene></COLLADA>
            """, to: "scene.dae")
    }

    private func converted(_ source: String, pixels: Int) async throws -> FidelityReport {
        var options = AssetOperations.LiveOptions(cache: DownloadCache(folder: folder.path + "/cache"))
        options.collada.retention = .everything
        let opened = try await LiveBundle.open(.typed(source), goal: .scene, options: options)
        var limits = ConversionBudget.Limits()
        limits.mostPixels = pixels
        let output = folder.path + "/out.glb"
        return try await opened.run { [limits] opened, isCancelled in
            try opened.product(try opened.choice(), isCancelled: isCancelled)
                .write(to: output, as: .glb, limits: limits, isCancelled: isCancelled)
        }
    }

    /// Each of the two is decoded once, eight pixels each; the picture of both has eight times eight, which are made and
    /// written for each material.
    @Test func picturesOfTwoCountTheirPixelsAndTheirSourcesOnce() async throws {
        _ = try folder.write(Self.picture(8, 1, [0, 0, 255]), to: "wide.tga")
        _ = try folder.write(Self.picture(1, 8, [255, 255, 255, 128]), to: "tall.tga")
        let pixels = 2 * 8 + 3 * 2 * 64
        let report = try await converted(source(3), pixels: pixels)
        #expect(report.contents.images == 3 && !report.losses.contains { $0.change == .dropped })
        let source = try source(3)
        await #expect { try await converted(source, pixels: pixels - 1) } throws: {
            ($0 as? SceneExportError)?.code == .convertWorkExceeded
        }
    }

    /// What lacks of it would be clear.
    @Test func aPictureThatIsCutIsNoOpacity() async throws {
        _ = try folder.write(Self.picture(8, 1, [0, 0, 255]), to: "wide.tga")
        _ = try folder.write(Self.picture(1, 8, [255, 255, 255, 128], rows: 4), to: "tall.tga")
        let report = try await converted(source(1), pixels: 1_000_000)
        let lost = report.losses.filter { $0.change == .dropped }
        #expect(lost.map(\.subject) == [.opacity, .images] || lost.map(\.subject) == [.images, .opacity])
        #expect(lost.first { $0.subject == .images }?.places == ["tall"])
        // The other one is taken along as it is.
        #expect(report.contents.images == 1)
    }
}

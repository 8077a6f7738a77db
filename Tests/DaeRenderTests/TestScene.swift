import DaeImages
import DaePipeline
import DaeRender
import DaeScene
import TestSupport
import Testing

/// A document of one's own making, and what is drawn of it.
struct TestScene {
    /// A mesh and where it stands.
    struct Part {
        /// x y z of each vertex.
        var positions: [Double]
        var triangles: [Int] = []
        var lines: [Int] = []
        /// u v of each vertex.
        var texcoords: [Double] = []
        /// x y z of each vertex.
        var normals: [Double] = []
        /// Red, green and blue of each vertex.
        var colors: [Double] = []
        /// Of the common profile; the name of a light model and what is in it.
        var effect = "<constant><emission><color>1 1 1 1</color></emission></constant>"
        /// Transforms of its node.
        var place = ""

        /// A rectangle that faces the viewer, from the lower left around.
        static func rectangle(
            _ x: ClosedRange<Double>, _ y: ClosedRange<Double>, z: Double = 0, effect: String? = nil
        ) -> Part {
            var part = Part(
                positions: [
                    x.lowerBound, y.lowerBound, z, x.upperBound, y.lowerBound, z, x.upperBound, y.upperBound, z,
                    x.lowerBound, y.upperBound, z,
                ], triangles: [0, 1, 2, 0, 2, 3], texcoords: [0, 0, 1, 0, 1, 1, 0, 1],
                normals: [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1])
            if let effect { part.effect = effect }
            return part
        }
    }

    var parts: [Part] = []
    /// What `<optics>` has; `nil` for no camera.
    var optics: String? = "<orthographic><xmag>1</xmag><ymag>1</ymag><znear>0.1</znear><zfar>100</zfar></orthographic>"
    /// Transforms of the camera's node.
    var cameraPlace = "<translate>0 0 10</translate>"
    /// What `<technique_common>` of each light has, and transforms of its node.
    var lights: [(light: String, place: String)] = []
    /// Of a texture called t.png; it is `texture` in effects.
    var texture: (width: Int, height: Int, rgba: [UInt8])?
    /// What a sampler says beside its source.
    var sampler = ""
    /// Animations and controllers, as they are written; nodes of parts are n0, n1 and so on, their meshes g0.
    var libraries = ""

    func text() -> String {
        var effects = ""
        var geometries = ""
        var nodes = ""
        let image = "<library_images><image id=\"image\"><init_from>t.png</init_from></image></library_images>"
        let parameters = """
            <newparam sid="surface"><surface type="2D"><init_from>image</init_from></surface></newparam>
            <newparam sid="texture"><sampler2D><source>surface</source>\(sampler)</sampler2D></newparam>
            """
        for (index, part) in parts.enumerated() {
            effects += """
                <effect id="e\(index)"><profile_COMMON>\(texture == nil ? "" : parameters)
                <technique sid="t">\(part.effect)</technique></profile_COMMON></effect>
                """
            geometries += geometry(part, index)
            nodes += """
                <node id="n\(index)">\(part.place)<instance_geometry url="#g\(index)"><bind_material><technique_common>
                <instance_material symbol="m" target="#m\(index)"/></technique_common></bind_material>
                </instance_geometry></node>
                """
        }
        if optics != nil { nodes += "<node id=\"eye\">\(cameraPlace)<instance_camera url=\"#camera\"/></node>" }
        var lamps = ""
        for (index, (light, place)) in lights.enumerated() {
            lamps += "<light id=\"l\(index)\"><technique_common>\(light)</technique_common></light>"
            nodes += "<node>\(place)<instance_light url=\"#l\(index)\"/></node>"
        }
        let materials = parts.indices.map { "<material id=\"m\($0)\"><instance_effect url=\"#e\($0)\"/></material>" }
        let camera = optics.map {
            "<library_cameras><camera id=\"camera\"><optics><technique_common>\($0)</technique_common></optics></camera></library_cameras>"
        }
        return """
            <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><created/><modified/>
            <unit meter="0.01"/><up_axis>Y_UP</up_axis></asset>
            \(texture == nil ? "" : image)<library_effects>\(effects)</library_effects>
            <library_materials>\(materials.joined())</library_materials>
            <library_geometries>\(geometries)</library_geometries>\(camera ?? "")
            <library_lights>\(lamps)</library_lights>\(libraries)
            <library_visual_scenes><visual_scene id="s">\(nodes)</visual_scene></library_visual_scenes>
            <scene><instance_visual_scene url="#s"/></scene></COLLADA>
            """
    }

    private func geometry(_ part: Part, _ index: Int) -> String {
        func source(_ name: String, _ numbers: [Double], _ width: Int) -> String {
            guard !numbers.isEmpty else { return "" }
            let values = numbers.map { $0.isNaN ? "NaN" : "\($0)" }.joined(separator: " ")
            let parameters = String(repeating: "<param type=\"float\"/>", count: width)
            return """
                <source id="\(name)\(index)"><float_array id="\(name)a\(index)" count="\(numbers.count)">\(values)</float_array>
                <technique_common><accessor source="#\(name)a\(index)" count="\(numbers.count / width)" stride="\(width)">
                \(parameters)</accessor></technique_common></source>
                """
        }
        func input(_ semantic: String, _ name: String, _ numbers: [Double]) -> String {
            numbers.isEmpty ? "" : "<input semantic=\"\(semantic)\" source=\"#\(name)\(index)\" offset=\"0\"/>"
        }
        let inputs =
            "<input semantic=\"VERTEX\" source=\"#v\(index)\" offset=\"0\"/>" + input("NORMAL", "n", part.normals)
            + input("TEXCOORD", "u", part.texcoords) + input("COLOR", "c", part.colors)
        func primitive(_ name: String, _ indices: [Int], _ corners: Int) -> String {
            guard !indices.isEmpty else { return "" }
            let list = indices.map { "\($0)" }.joined(separator: " ")
            return "<\(name) count=\"\(indices.count / corners)\" material=\"m\">\(inputs)<p>\(list)</p></\(name)>"
        }
        return """
            <geometry id="g\(index)"><mesh>\(source("p", part.positions, 3))\(source("n", part.normals, 3))
            \(source("u", part.texcoords, 2))\(source("c", part.colors, 3))
            <vertices id="v\(index)"><input semantic="POSITION" source="#p\(index)"/></vertices>
            \(primitive("triangles", part.triangles, 3))\(primitive("lines", part.lines, 2))</mesh></geometry>
            """
    }

    /// - Parameter style: `suite` has nothing but what the document says.
    func picture(
        size: Int = 16, _ style: RenderOptions.Style = .suite, stops: Bool = false,
        _ change: (inout RenderOptions) -> Void = { _ in }
    ) async throws -> TestPicture {
        let folder = try TemporaryFolder()
        if let texture {
            let image = try PNGImage(width: texture.width, height: texture.height, rgba: texture.rgba)
            try folder.write(image.bytes, to: "t.png")
        }
        let path = try folder.write(text(), to: "scene.dae")
        let model = try await Dae.load(.path(path))
        var options = RenderOptions()
        (options.width, options.height, options.style, options.samples) = (size, size, style, 1)
        change(&options)
        return TestPicture(made: try model.picture(options, isCancelled: { stops }))
    }
}

/// A picture to be looked at.
struct TestPicture {
    let made: RenderedPicture

    /// Red, green, blue and alpha, from the upper left.
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        let start = (y * made.width + x) * 4
        return Array(made.pixels[start..<start + 4])
    }

    /// The red of each pixel of a row.
    func row(_ y: Int) -> [UInt8] { (0..<made.width).map { pixel($0, y)[0] } }

    /// The red of each pixel of a column.
    func column(_ x: Int) -> [UInt8] { (0..<made.height).map { pixel(x, $0)[0] } }
}

/// A COLLADA document of a few lines, put together from what a test is about.
struct SmallDocument {
    var asset = "<unit meter=\"1\"/><up_axis>Y_UP</up_axis>"
    var libraries = ""
    var geometries = SmallDocument.square("square")
    /// Within the visual scene.
    var nodes = "<node id=\"N\"><instance_geometry url=\"#square\"/></node>"

    var bytes: [UInt8] {
        Array(
            """
            <?xml version="1.0"?>
            <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>\(asset)</asset>
            \(libraries)<library_geometries>\(geometries)</library_geometries>
            <library_visual_scenes><visual_scene id="S">\(nodes)</visual_scene></library_visual_scenes>
            <scene><instance_visual_scene url="#S"/></scene></COLLADA>
            """.utf8)
    }

    /// A source of floats, `width` a row.
    static func source(_ id: String, _ numbers: [Double], _ params: String) -> String {
        let width = params.count
        let names = params.map { "<param name=\"\($0)\" type=\"float\"/>" }.joined()
        let text = numbers.map { String($0) }.joined(separator: " ")
        return """
            <source id="\(id)"><float_array id="\(id)-a" count="\(numbers.count)">\(text)</float_array>
            <technique_common><accessor source="#\(id)-a" count="\(numbers.count / width)" stride="\(width)">\(names)
            </accessor></technique_common></source>
            """
    }

    static func names(_ id: String, _ words: [String]) -> String {
        """
        <source id="\(id)"><Name_array id="\(id)-a" count="\(words.count)">\(words.joined(separator: " "))</Name_array>
        <technique_common><accessor source="#\(id)-a" count="\(words.count)"><param name="N" type="Name"/></accessor>
        </technique_common></source>
        """
    }

    /// Two triangles with normals and texture coordinates; `primitive` takes their place.
    static func square(
        _ id: String, raised: Double = 0, normal: [Double] = [0, 0, 1], primitive: String? = nil
    ) -> String {
        let triangles = """
            <triangles count="2" material="m"><input semantic="VERTEX" source="#\(id)-v" offset="0"/>
            <input semantic="NORMAL" source="#\(id)-n" offset="1"/>
            <input semantic="TEXCOORD" source="#\(id)-t" offset="2" set="0"/>
            <p>0 0 0 1 0 1 2 0 2 0 0 0 2 0 2 3 0 3</p></triangles>
            """
        let places: [Double] = [0, 0, 0, 1, 0, 0, 1, 1, raised, 0, 1, 0]
        return """
            <geometry id="\(id)" name="\(id) it is"><mesh>\(source("\(id)-p", places, "XYZ"))
            \(source("\(id)-n", normal, "XYZ"))\(source("\(id)-t", [0, 0, 1, 0, 1, 1, 0, 1], "ST"))
            <vertices id="\(id)-v"><input semantic="POSITION" source="#\(id)-p"/></vertices>
            \(primitive ?? triangles)</mesh></geometry>
            """
    }

    /// Moves `target` by keys, all of them interpolated as the word says.
    static func animation(
        _ id: String, _ target: String, times: [Double], values: [Double], _ interpolation: String,
        tangents: (incoming: [Double], outgoing: [Double])? = nil
    ) -> String {
        let handles = tangents.map {
            source("\(id)-i", $0.incoming, "XY") + source("\(id)-o", $0.outgoing, "XY")
        }
        let inputs = """
            <input semantic="IN_TANGENT" source="#\(id)-i"/><input semantic="OUT_TANGENT" source="#\(id)-o"/>
            """
        return """
            <animation id="\(id)">\(source("\(id)-t", times, "T"))\(source("\(id)-v", values, "V"))
            \(names("\(id)-n", times.map { _ in interpolation }))\(handles ?? "")
            <sampler id="\(id)-s"><input semantic="INPUT" source="#\(id)-t"/><input semantic="OUTPUT" source="#\(id)-v"/>
            <input semantic="INTERPOLATION" source="#\(id)-n"/>\(handles == nil ? "" : inputs)</sampler>
            <channel source="#\(id)-s" target="\(target)"/></animation>
            """
    }

    /// A material `M` with an effect of this shading, and an image `I`.
    static func look(_ shading: String, parameters: String = "", extra: String = "") -> String {
        """
        <library_images><image id="I"><init_from>a.png</init_from></image></library_images>
        <library_effects><effect id="E"><profile_COMMON>\(parameters)<technique sid="t">\(shading)\(extra)</technique>
        </profile_COMMON></effect></library_effects>
        <library_materials><material id="M" name="paint"><instance_effect url="#E"/></material></library_materials>
        """
    }

    /// Parameters of a texture: a surface over the image, and a sampler with `settings`.
    static func sampler(_ settings: String = "") -> String {
        """
        <newparam sid="surface"><surface type="2D"><init_from>I</init_from></surface></newparam>
        <newparam sid="sampler"><sampler2D><source>surface</source>\(settings)</sampler2D></newparam>
        """
    }

    /// A node that shows the square in the material.
    static let painted = """
        <node id="N"><instance_geometry url="#square"><bind_material><technique_common>
        <instance_material symbol="m" target="#M"><bind_vertex_input semantic="UV" input_semantic="TEXCOORD" input_set="0"/>
        </instance_material></technique_common></bind_material></instance_geometry></node>
        """
}

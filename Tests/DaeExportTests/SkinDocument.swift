/// A COLLADA document of a triangle that is bound to joints, put together from what a test is about.
struct SkinDocument {
    var version = "1.4.1"
    var asset = "<unit name=\"meter\" meter=\"1\"/><up_axis>Y_UP</up_axis>"
    /// Of the triangle; one, or as many as its corners.
    var normals: [Double] = [0, 0, 1]
    var bindShape: [Double] = SkinDocument.identity
    var joints = ["J"]
    /// 16 numbers a joint.
    var inverseBinds: [Double] = SkinDocument.identity
    /// For each corner, its joint.
    var influences = [0, 0, 0]
    /// Within libraries, such as other controllers or nodes.
    var libraries = ""
    /// Within the library of controllers.
    var controllers = ""
    /// Within the library of geometries.
    var geometries = ""
    /// Within the visual scene.
    var nodes = ""

    static let identity: [Double] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

    static func translation(_ x: Double, _ y: Double, _ z: Double) -> [Double] {
        [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1]
    }

    static func instance(skeleton: String? = "A", of controller: String = "c") -> String {
        "<instance_controller url=\"#\(controller)\">\(skeleton.map { "<skeleton>#\($0)</skeleton>" } ?? "")</instance_controller>"
    }

    static func joint(_ id: String = "A", sid: String = "J", _ content: String = "") -> String {
        "<node id=\"\(id)\" sid=\"\(sid)\" type=\"JOINT\">\(content)</node>"
    }

    static func triangle(_ id: String, _ places: [Double] = [0, 0, 0, 1, 0, 0, 0, 1, 0], normals: [Double]) -> String {
        let each = normals.count > 3 ? "0 0 1 1 2 2" : "0 0 1 0 2 0"
        return """
            <geometry id="\(id)"><mesh>\(SmallDocument.source("\(id)-p", places, "XYZ"))
            \(SmallDocument.source("\(id)-n", normals, "XYZ"))<vertices id="\(id)-v">
            <input semantic="POSITION" source="#\(id)-p"/></vertices><triangles count="1">
            <input semantic="VERTEX" source="#\(id)-v" offset="0"/><input semantic="NORMAL" source="#\(id)-n" offset="1"/>
            <p>\(each)</p></triangles></mesh></geometry>
            """
    }

    var bytes: [UInt8] {
        let namespace = version.hasPrefix("1.5") ? "2008/03" : "2005/11"
        let pairs = influences.map { "\($0) 0" }.joined(separator: " ")
        return Array(
            """
            <?xml version="1.0"?>
            <COLLADA xmlns="http://www.collada.org/\(namespace)/COLLADASchema" version="\(version)"><asset>\(asset)</asset>
            <library_geometries>\(Self.triangle("g", normals: normals))\(geometries)</library_geometries>
            <library_controllers><controller id="c"><skin source="#g">
            <bind_shape_matrix>\(bindShape.map { "\($0)" }.joined(separator: " "))</bind_shape_matrix>
            \(SmallDocument.names("c-j", joints))\(SmallDocument.source("c-b", inverseBinds, "ABCDEFGHIJKLMNOP"))
            \(SmallDocument.source("c-w", [1], "W"))<joints><input semantic="JOINT" source="#c-j"/>
            <input semantic="INV_BIND_MATRIX" source="#c-b"/></joints><vertex_weights count="3">
            <input semantic="JOINT" source="#c-j" offset="0"/><input semantic="WEIGHT" source="#c-w" offset="1"/>
            <vcount>1 1 1</vcount><v>\(pairs)</v></vertex_weights></skin></controller>\(controllers)</library_controllers>
            \(libraries)<library_visual_scenes><visual_scene id="S">\(nodes)</visual_scene></library_visual_scenes>
            <scene><instance_visual_scene url="#S"/></scene></COLLADA>
            """.utf8)
    }
}

import TestSupport
import Testing

/// A document of one triangle, as exporters write it, with what it refers to.
func modelDocument(
    image: String? = nil, parts: [String] = [], at origin: [Double] = [0, 0, 0], up: String = "Y_UP",
    meter: String = "1",
    version: String = "1.4.1", encoding: String = "utf-8"
) -> String {
    let schema =
        version == "1.4.1"
        ? "http://www.collada.org/2005/11/COLLADASchema" : "http://www.collada.org/2008/03/COLLADASchema"
    let (x, y, z) = (origin[0], origin[1], origin[2])
    let link = version == "1.4.1" ? image : image.map { "<ref>\($0)</ref>" }
    let images =
        link.map { "<library_images><image id=\"i\"><init_from>\($0)</init_from></image></library_images>" } ?? ""
    let look =
        image == nil
        ? ""
        : """
        <library_effects><effect id="e"><profile_COMMON>\(version == "1.4.1" ? """
            <newparam sid="s"><surface type="2D"><init_from>i</init_from></surface></newparam>
            <newparam sid="t"><sampler2D><source>s</source></sampler2D></newparam>
            """ : "<newparam sid=\"t\"><sampler2D><instance_image url=\"#i\"/></sampler2D></newparam>")
        <technique sid="c"><lambert><diffuse><texture texture="t" texcoord="UV"/></diffuse></lambert></technique>
        </profile_COMMON></effect></library_effects>
        <library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
        """
    let bound =
        image == nil
        ? ""
        : """
        <bind_material><technique_common><instance_material symbol="m" target="#m">
        <bind_vertex_input semantic="UV" input_semantic="TEXCOORD" input_set="0"/></instance_material></technique_common></bind_material>
        """
    return """
        <?xml version="1.0" encoding="\(encoding)"?>
        <COLLADA xmlns="\(schema)" version="\(version)">
        <asset><created>2020-01-01T00:00:00Z</created><modified>2020-01-01T00:00:00Z</modified><unit meter="\(meter)" name="u"/>
        <up_axis>\(up)</up_axis></asset>\(images)\(look)
        <library_geometries><geometry id="g"><mesh>
        <source id="p"><float_array id="pa" count="9">\(x) \(y) \(z) \(x + 1) \(y) \(z) \(x) \(y + 1) \(z)</float_array>
        <technique_common><accessor source="#pa" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
        <param name="Z" type="float"/></accessor></technique_common></source>
        <source id="u"><float_array id="ua" count="6">0 0 1 0 0 1</float_array><technique_common>
        <accessor source="#ua" count="3" stride="2"><param name="S" type="float"/><param name="T" type="float"/></accessor>
        </technique_common></source>
        <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
        <triangles count="1" material="m"><input semantic="VERTEX" source="#v" offset="0"/>
        <input semantic="TEXCOORD" source="#u" offset="1" set="0"/><p>0 0 1 1 2 2</p></triangles></mesh></geometry></library_geometries>
        <library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g">\(bound)</instance_geometry></node>
        \(parts.map { "<node><instance_node url=\"\($0)\"/></node>" }.joined())</visual_scene></library_visual_scenes>
        <scene><instance_visual_scene url="#s"/></scene></COLLADA>
        """
}

/// A PNG of one pixel of a colour.
func pixel(red: UInt8) -> [UInt8] {
    let raw: [UInt8] = [0, red, 0, 0]
    func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let typed = Array(name.utf8) + body
        return big(UInt32(body.count)) + typed + big(CRC32.of(typed))
    }
    // Stored, and Adler-32 behind it.
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in raw { (a, b) = ((a + UInt32(byte)) % 65521, (b + (a + UInt32(byte)) % 65521) % 65521) }
    let data: [UInt8] = [0x78, 0x01, 1, 4, 0, 0xFB, 0xFF] + raw + big(b << 16 | a)
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        + chunk("IHDR", big(1) + big(1) + [8, 2, 0, 0, 0]) + chunk("IDAT", data) + chunk("IEND", [])
}

private func big(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }

/// A GLB that was played back: where its points are, and its pictures.
struct PlayedModel {
    private(set) var points: [SIMD3<Double>] = []
    private(set) var images: [[UInt8]] = []

    init(_ glb: [UInt8]) throws {
        func number(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(glb[at + $1]) << (8 * $1) } }
        let length = number(12)
        let json = try JSONNode(parsing: Array(glb[20..<20 + length]))
        let binary = 20 + length + 8 <= glb.count ? Array(glb[(20 + length + 8)...]) : []
        func member(_ node: JSONNode?, _ name: String) -> Int { Int(node?[name]?.number ?? 0) }
        func item(_ list: String, _ index: Int) -> JSONNode? {
            let all = json[list]?.elements ?? []
            return all.indices.contains(index) ? all[index] : nil
        }
        func float(_ at: Int) -> Double {
            Double(Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(binary[at + $1]) << (8 * UInt32($1)) }))
        }
        for image in json["images"]?.elements ?? [] {
            let view = item("bufferViews", member(image, "bufferView"))
            let start = member(view, "byteOffset")
            images.append(Array(binary[start..<start + member(view, "byteLength")]))
        }
        var waiting: [(node: Int, matrix: [Double])] = (item("scenes", member(json, "scene"))?["nodes"]?.elements ?? [])
            .compactMap { $0.number.map { (Int($0), Self.identity) } }
        while let (index, above) = waiting.popLast() {
            let node = item("nodes", index)
            let matrix = Self.product(above, Self.matrix(of: node))
            for child in node?["children"]?.elements ?? [] {
                if let child = child.number { waiting.append((Int(child), matrix)) }
            }
            guard node?["mesh"] != nil else { continue }
            for primitive in item("meshes", member(node, "mesh"))?["primitives"]?.elements ?? [] {
                let accessor = item("accessors", member(primitive["attributes"], "POSITION"))
                let view = item("bufferViews", member(accessor, "bufferView"))
                let stride = view?["byteStride"] == nil ? 12 : member(view, "byteStride")
                let start = member(view, "byteOffset") + member(accessor, "byteOffset")
                for place in 0..<member(accessor, "count") {
                    let at = start + place * stride
                    let point: [Double] = [float(at), float(at + 4), float(at + 8), 1]
                    var moved = SIMD3<Double>(0, 0, 0)
                    for column in 0..<4 {
                        for row in 0..<3 { moved[row] += matrix[column * 4 + row] * point[column] }
                    }
                    points.append(moved)
                }
            }
        }
    }

    var low: SIMD3<Double> { points.dropFirst().reduce(points.first ?? [0, 0, 0]) { pointwiseMin($0, $1) } }
    var size: SIMD3<Double> { points.dropFirst().reduce(points.first ?? [0, 0, 0]) { pointwiseMax($0, $1) } - low }

    private static let identity: [Double] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

    /// By columns.
    private static func product(_ left: [Double], _ right: [Double]) -> [Double] {
        var product = [Double](repeating: 0, count: 16)
        for column in 0..<4 {
            for row in 0..<4 {
                for inner in 0..<4 { product[column * 4 + row] += left[inner * 4 + row] * right[column * 4 + inner] }
            }
        }
        return product
    }

    private static func matrix(of node: JSONNode?) -> [Double] {
        func numbers(_ name: String) -> [Double]? { node?[name]?.elements.compactMap(\.number) }
        if let matrix = numbers("matrix") { return matrix }
        let (t, r, s) = (
            numbers("translation") ?? [0, 0, 0], numbers("rotation") ?? [0, 0, 0, 1], numbers("scale") ?? [1, 1, 1]
        )
        let (x, y, z, w) = (r[0], r[1], r[2], r[3])
        let right: [Double] = [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)]
        let up: [Double] = [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)]
        let near: [Double] = [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)]
        var matrix: [Double] = []
        for (axis, size) in [(right, s[0]), (up, s[1]), (near, s[2])] { matrix += axis.map { $0 * size } + [0] }
        return matrix + [t[0], t[1], t[2], 1]
    }
}

/// Bundles made in a folder of their own, and what the program says of them.
struct BundleTrial {
    let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    /// Writes an archive of these files, names as bytes.
    func zip(_ name: String, _ files: [([UInt8], [UInt8])]) throws -> String {
        var zip = ZipBuilder()
        for (path, bytes) in files { zip.add("x", bytes) { $0.name = path } }
        return try place.write(zip.bytes(), to: name)
    }

    func zip(_ name: String, _ files: [(String, String)]) throws -> String {
        try zip(name, files.map { (Array($0.0.utf8), Array($0.1.utf8)) })
    }

    func json(_ arguments: [String]) throws -> JSONNode {
        try JSONNode(parsing: Program.run(arguments + ["--format", "json"]).output)
    }

    /// An object for each model.
    func lines(_ arguments: [String]) throws -> (values: [JSONNode], code: Int32) {
        let outcome = try Program.run(arguments + ["--format", "json"])
        // A single one is parted over lines of its own.
        if let single = try? JSONNode(parsing: outcome.output) { return ([single], outcome.code) }
        return (try outcome.text.split(separator: "\n").map { try JSONNode(parsing: Array($0.utf8)) }, outcome.code)
    }

    func codes(_ path: String) throws -> [String] {
        try json(["validate", path])["findings"]?["messages"]?.elements.compactMap { $0["code"]?.string } ?? []
    }

    func scene(_ path: String) throws -> String? { try json(["inspect", path])["bundle"]?["scene"]?["path"]?.string }

    /// What each reference came to: its path, or its status where there is none.
    func resolved(_ path: String) throws -> [String] {
        try json(["resolve", path])["references"]?.elements.compactMap { $0["path"]?.string ?? $0["status"]?.string }
            ?? []
    }

    func converted(_ path: String, _ arguments: [String] = []) throws -> PlayedModel {
        let output = place.path + "/\(Int.random(in: 0..<1_000_000_000)).glb"
        let outcome = try Program.run(["convert", path, "-o", output] + arguments)
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try PlayedModel(Repository.bytes(at: output))
    }

    static func field(_ path: String) -> String { Repository.root + "/Fixtures/field/" + path }
}

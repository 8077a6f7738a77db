import SceneExport
import SceneModel
import TestSupport
import Testing

/// Skins and morphs of documents that write them otherwise than most.
@Suite struct DeformationTests {
    private static let identity: [Double] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

    /// The square bound to joints, all of it to the first.
    private static func skin(of joints: [String], base: String = "square", corners: Int = 4) -> String {
        """
        <controller id="C"><skin source="#\(base)">\(SmallDocument.names("C-j", joints))
        \(SmallDocument.source("C-b", joints.flatMap { _ in identity }, "ABCDEFGHIJKLMNOP"))
        \(SmallDocument.source("C-w", [1], "W"))
        <joints><input semantic="JOINT" source="#C-j"/><input semantic="INV_BIND_MATRIX" source="#C-b"/></joints>
        <vertex_weights count="\(corners)"><input semantic="JOINT" source="#C-j" offset="0"/>
        <input semantic="WEIGHT" source="#C-w" offset="1"/>
        <vcount>\([String](repeating: "1", count: corners).joined(separator: " "))</vcount>
        <v>\([String](repeating: "0 0", count: corners).joined(separator: " "))</v></vertex_weights></skin></controller>
        """
    }

    private static func morph(of base: String, to target: String, method: String = "NORMALIZED") -> String {
        """
        <controller id="D"><morph source="#\(base)" method="\(method)">
        <source id="D-t"><IDREF_array id="D-t-a" count="1">\(target)</IDREF_array><technique_common>
        <accessor source="#D-t-a" count="1"><param type="IDREF"/></accessor></technique_common></source>
        \(SmallDocument.source("D-w", [0.5], "W"))<targets><input semantic="MORPH_TARGET" source="#D-t"/>
        <input semantic="MORPH_WEIGHT" source="#D-w"/></targets></morph></controller>
        """
    }

    private static func document(
        _ controllers: String, showing controller: String, animations: String = ""
    ) -> SmallDocument {
        var document = SmallDocument()
        document.libraries = """
            <library_controllers>\(controllers)</library_controllers>
            <library_animations>\(animations)</library_animations>
            """
        document.nodes = "<node id=\"N\"><instance_controller url=\"#\(controller)\"/></node>"
        return document
    }

    private static func converted(_ document: SmallDocument, time: Double? = nil) throws -> Conversion {
        var options = GLTFOptions()
        options.time = time
        let conversion = try Conversion(document.bytes, options: options)
        #expect(conversion.checker.faults.isEmpty, "\(conversion.checker.faults)")
        return conversion
    }

    // MARK: - Two streams of positions

    /// Three positions, and forty more that only a second primitive uses.
    private static func twoStreams(_ id: String) -> String {
        let far = (0..<40).flatMap { number in [Double(number), Double(number % 7), 1] as [Double] }
        let primitives = """
            \(SmallDocument.source("\(id)-q", far, "XYZ"))<triangles count="1">
            <input semantic="VERTEX" source="#\(id)-v" offset="0"/><p>0 1 2</p></triangles><triangles count="1">
            <input semantic="POSITION" source="#\(id)-q" offset="0"/><p>30 35 39</p></triangles>
            """
        return SmallDocument.square(id, primitive: primitives)
    }

    @Test(arguments: ["skin", "morph"], [nil, 0.5])
    func aMeshOfTwoStreamsOfPositionsIsDeformedWhole(_ kind: String, _ time: Double?) throws {
        let controllers = [
            "skin": Self.skin(of: ["J"]), "morph": Self.morph(of: "square", to: "other"),
        ]
        let turn = SmallDocument.animation("A", "J/turn.ANGLE", times: [0, 1], values: [0, 90], "LINEAR")
        var document = Self.document(
            try #require(controllers[kind]), showing: kind == "skin" ? "C" : "D", animations: turn)
        document.geometries = Self.twoStreams("square") + Self.twoStreams("other")
        document.nodes += """
            <node id="J" sid="J" type="JOINT"><rotate sid="turn">0 0 1 0</rotate></node>
            """
        let conversion = try Self.converted(document, time: time)
        let file = try #require(conversion.checker.file)
        let primitives = file.list("meshes").flatMap { $0["primitives"]?.elements ?? [] }
        let points = primitives.compactMap { primitive in
            primitive["attributes"]?["POSITION"]?.int.flatMap { conversion.checker.accessors[$0] }
        }.map { positions in (0..<positions.count).map { Array(positions.row($0)) } }
        #expect(points.last == [[30, 2, 1], [35, 0, 1], [39, 4, 1]])
        #expect(points.count == 2)
    }
}

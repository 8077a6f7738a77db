import DaeExport
import DaeMesh
import DaeScene
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
        var options = ExportOptions()
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

    // MARK: - Joints

    /// Where the file has the corners of the skinned node.
    private static func skinned(_ conversion: Conversion) throws -> [SIMD3<Double>] {
        let checker = conversion.checker
        let file = try #require(checker.file)
        let worlds = file.worlds
        let node = try #require(file.list("nodes").first { $0["skin"] != nil })
        let skin = try #require(node["skin"]?.int.map { file.list("skins")[$0] })
        let binds = try #require(skin["inverseBindMatrices"]?.int.flatMap { checker.accessors[$0] })
        let matrices = (skin["joints"]?.elements ?? []).compactMap(\.int).enumerated().map { place, joint in
            let row = Array(binds.row(place))
            func column(_ index: Int) -> SIMD4<Double> { SIMD4(row[index * 4..<index * 4 + 4]) }
            return worlds[joint] * Matrix4(columns: (column(0), column(1), column(2), column(3)))
        }
        let attributes = try #require(
            node["mesh"]?.int.flatMap { file.list("meshes")[$0]["primitives"]?.elements.first?["attributes"] })
        func rows(_ name: String) throws -> [[Double]] {
            let accessor = try #require(attributes[name]?.int.flatMap { checker.accessors[$0] })
            return (0..<accessor.count).map { Array(accessor.row($0)) }
        }
        let (joints, weights, positions) = (try rows("JOINTS_0"), try rows("WEIGHTS_0"), try rows("POSITION"))
        return positions.enumerated().map { vertex, point in
            (0..<4).reduce(SIMD3.zero) {
                $0 + matrices[Int(joints[vertex][$1])].transform(point: SIMD3(point)) * weights[vertex][$1]
            }
        }
    }

    private static func expect(_ found: [SIMD3<Double>], _ expected: [SIMD3<Double>]) {
        #expect(found.count == expected.count)
        for (point, other) in zip(found, expected) {
            let difference = point - other
            #expect((difference * difference).sum() < 1e-10, "\(point), not \(other)")
        }
    }

    /// A turn, a stretch and another turn: a matrix that no translation, rotation and scale make.
    private static let shear = "<rotate>0 0 1 30</rotate><scale>1 3 1</scale><rotate>0 0 1 40</rotate>"

    @Test func aShearedJointMovesAsTheDocumentSays() throws {
        var document = Self.document(Self.skin(of: ["J"]), showing: "C")
        document.nodes += "<node id=\"J\" sid=\"J\" type=\"JOINT\"><translate>1 2 3</translate>\(Self.shear)</node>"
        let conversion = try Self.converted(document)
        let scene = conversion.scene
        let pose = PoseEvaluator(scene: scene, channels: [])
        let node = try #require(scene.roots.first { scene.nodes[$0].id == "N" })
        let points = try #require(
            Deformer(scene: scene, pose: pose).positions(of: scene.nodes[node].instances[0], placedBy: .identity))
        Self.expect(
            try Self.skinned(conversion),
            stride(from: 0, to: points.count, by: 3).map { SIMD3(points[$0..<$0 + 3]) })
        #expect(!conversion.report.losses.contains { $0.subject == .shear })
    }

    @Test(arguments: [0, 0.25, 0.7, 1]) func aJointHasTheShearOfAMomentBetweenKeys(_ time: Double) throws {
        // A baked matrix on its way from one shape to another.
        let bent: [Double] = [1, 2, 0, 4, -0.5, 1, 0, 0, 0, 0.5, 2, 0, 0, 0, 0, 1]
        let animation = """
            <animation id="A">\(SmallDocument.source("A-t", [0, 1], "T"))
            \(SmallDocument.source("A-v", Self.identity + bent, "ABCDEFGHIJKLMNOP"))
            \(SmallDocument.names("A-n", ["LINEAR", "LINEAR"]))<sampler id="A-s"><input semantic="INPUT" source="#A-t"/>
            <input semantic="OUTPUT" source="#A-v"/><input semantic="INTERPOLATION" source="#A-n"/></sampler>
            <channel source="#A-s" target="J/pose"/></animation>
            """
        var document = Self.document(Self.skin(of: ["J"]), showing: "C", animations: animation)
        document.nodes += """
            <node id="J" sid="J" type="JOINT">
            <matrix sid="pose">\(Self.identity.map { "\($0)" }.joined(separator: " "))</matrix></node>
            """
        let mixed = zip(Self.identity, bent).map { $0 + ($1 - $0) * time }
        let expected = [SIMD3(0.0, 0, 0), [1, 0, 0], [1, 1, 0], [0, 1, 0]].map { point in
            SIMD3(
                mixed[0] * point.x + mixed[1] * point.y + mixed[3], mixed[4] * point.x + mixed[5] * point.y + mixed[7],
                mixed[8] * point.x + mixed[9] * point.y + mixed[11])
        }
        Self.expect(try Self.skinned(try Self.converted(document, time: time)), expected)
    }

    @Test func aJointThatIsNamedTwiceStandsTwice() throws {
        // J twice, two that are nowhere, and vertices that no joint moves.
        var document = Self.document(
            Self.skin(of: ["J", "J", "gone", "lost"], corners: 3), showing: "C",
            animations: SmallDocument.animation("A", "J/shift.X", times: [0, 1], values: [0, 1], "LINEAR"))
        document.nodes += "<node id=\"J\" sid=\"J\" type=\"JOINT\"><translate sid=\"shift\">5 0 0</translate></node>"
        let conversion = try Self.converted(document)
        let file = try #require(conversion.checker.file)
        let joints = (file.list("skins").first?["joints"]?.elements ?? []).compactMap(\.int)
        #expect(joints.count == 5 && Set(joints).count == 5)
        let origins = joints.map { file.worlds[$0].columns.3.x }
        #expect(origins == [5, 5, 0, 0, 0])
        Self.expect(try Self.skinned(conversion), [[5, 0, 0], [6, 0, 0], [6, 1, 0], [0, 1, 0]])
        #expect(conversion.report.entries.first { $0.subject == .joints }?.count == 2)
    }

    // MARK: - Morphs

    @Test func aNodeWhoseWeightsMoveHasNoMatrix() throws {
        var document = Self.document(
            Self.morph(of: "square", to: "other"), showing: "D",
            animations: SmallDocument.animation("A", "D-w(0)", times: [0, 1], values: [0, 1], "LINEAR"))
        document.geometries += SmallDocument.square("other", raised: 2)
        document.nodes = """
            <node id="N"><translate>1 2 3</translate><rotate>0 0 1 90</rotate><scale>2 2 2</scale>
            <instance_controller url="#D"/></node><node id="M"><translate>1 2 3</translate></node>
            """
        let conversion = try Self.converted(document)
        let file = try #require(conversion.checker.file)
        #expect(file.list("animations").first?["channels"]?.elements.first?["target"]?["path"] == "weights")
        let node = try #require(file.list("nodes").first { $0["mesh"] != nil })
        #expect(node["matrix"] == nil && node["translation"]?.numbers == [1, 2, 3])
        #expect(file.list("nodes").first { $0["extras"]?["id"] == "M" }?["matrix"] != nil)
    }

    /// Two triangles, the second of which its normals tell from the first.
    private static func halves(_ id: String, _ first: String, _ second: String) -> String {
        func triangle(_ corners: String, normal: Int) -> String {
            let places = corners.split(separator: " ").map { "\($0) \(normal)" }.joined(separator: " ")
            return """
                <triangles count="1"><input semantic="VERTEX" source="#\(id)-v" offset="0"/>
                <input semantic="NORMAL" source="#\(id)-n" offset="1"/><p>\(places)</p></triangles>
                """
        }
        let normals: [Double] = id == "square" ? [0, 0, 1, 0, 0, 1] : [1, 0, 0, 0, 1, 0]
        return SmallDocument.square(
            id, normal: normals, primitive: triangle(first, normal: 0) + triangle(second, normal: 1))
    }

    @Test func aTargetsNormalsAreThoseOfTheSameCorners() throws {
        func converted(_ first: String, _ second: String) throws -> Conversion {
            var document = Self.document(Self.morph(of: "square", to: "other"), showing: "D")
            document.geometries = Self.halves("square", "0 1 2", "0 2 3") + Self.halves("other", first, second)
            return try Self.converted(document)
        }
        func normals(_ conversion: Conversion) throws -> [[Double]?] {
            let file = try #require(conversion.checker.file)
            return file.list("meshes").flatMap { $0["primitives"]?.elements ?? [] }.map { primitive in
                primitive["targets"]?.elements.first?["NORMAL"]?.int.flatMap { conversion.checker.accessors[$0] }
                    .map { Array($0.row(0)) }
            }
        }
        #expect(try normals(converted("0 1 2", "0 2 3")) == [[1, 0, -1], [0, 1, -1]])
        // In another order of the primitives, the corners tell which is which.
        #expect(try normals(converted("0 2 3", "0 1 2")) == [[0, 1, -1], [1, 0, -1]])
        let turned = try converted("1 2 0", "0 2 3")
        #expect(try normals(turned) == [nil, [0, 1, -1]])
        #expect(turned.report.losses.contains { $0.subject == .morphNormals && $0.change == .dropped })
    }
}

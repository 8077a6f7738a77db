import DaeDiagnostics
import DaeExport
import DaeMesh
import DaeScene
import TestSupport
import Testing

/// What is read back from a compact file is what is read from one that is not, within what its report says.
@Suite struct CompactTests {
    /// A curved patch of a side of 24, 17 × 17 vertices, each with a normal of its own, a place in the picture and a colour.
    private static func patch(_ id: String, tiled: Double = 1, height: Double = 3) -> String {
        let side = 17
        var (places, normals, coordinates, colors): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        for row in 0..<side {
            for column in 0..<side {
                let (u, v) = (Double(column) / Double(side - 1), Double(row) / Double(side - 1))
                places += [24 * u - 7, height * (u * u - v), 24 * v + 100]
                let normal = SIMD3(-2 * height * u / 24, 1, height / 24)
                let length = (normal * normal).sum().squareRoot()
                normals += [normal.x / length, normal.y / length, normal.z / length]
                coordinates += [u * tiled, v * tiled]
                colors += [u, v, 0.3]
            }
        }
        var corners: [Int] = []
        for row in 0..<side - 1 {
            for column in 0..<side - 1 {
                let first = row * side + column
                corners += [first, first + side, first + side + 1, first, first + side + 1, first + 1]
            }
        }
        let inputs = """
            <input semantic="VERTEX" source="#\(id)-v" offset="0"/><input semantic="NORMAL" source="#\(id)-n" offset="0"/>
            <input semantic="TEXCOORD" source="#\(id)-t" offset="0"/><input semantic="COLOR" source="#\(id)-c" offset="0"/>
            """
        return """
            <geometry id="\(id)" name="\(id)"><mesh>\(SmallDocument.source("\(id)-p", places, "XYZ"))
            \(SmallDocument.source("\(id)-n", normals, "XYZ"))\(SmallDocument.source("\(id)-t", coordinates, "ST"))
            \(SmallDocument.source("\(id)-c", colors, "RGB"))
            <vertices id="\(id)-v"><input semantic="POSITION" source="#\(id)-p"/></vertices>
            <triangles count="\(corners.count / 3)" material="m">\(inputs)
            <p>\(corners.map { "\($0)" }.joined(separator: " "))</p></triangles></mesh></geometry>
            """
    }

    /// A material with a texture, and one without.
    private static let looks = """
        <library_images><image id="i"><init_from>i.png</init_from></image></library_images>
        <library_effects><effect id="e"><profile_COMMON>
        <newparam sid="s"><surface type="2D"><init_from>i</init_from></surface></newparam>
        <newparam sid="t"><sampler2D><source>s</source></sampler2D></newparam>
        <technique sid="x"><lambert><diffuse><texture texture="t" texcoord="UV"/></diffuse></lambert></technique>
        </profile_COMMON></effect><effect id="f"><profile_COMMON><technique sid="x"><lambert><diffuse><color>1 0 0 1</color>
        </diffuse></lambert></technique></profile_COMMON></effect></library_effects>
        <library_materials><material id="textured"><instance_effect url="#e"/></material>
        <material id="plain"><instance_effect url="#f"/></material></library_materials>
        """

    /// - Parameter materials: By symbol.
    private static func instance(_ materials: KeyValuePairs<String, String> = ["m": "textured"]) -> String {
        let bound = materials.map { "<instance_material symbol=\"\($0)\" target=\"#\($1)\"/>" }.joined()
        return """
            <instance_geometry url="#g"><bind_material><technique_common>\(bound)</technique_common></bind_material>
            </instance_geometry>
            """
    }

    private static func document(
        tiled: Double = 1, libraries: String = "", more: String = "",
        nodes: String = "<node id=\"N\"><scale>2 2 2</scale>\(instance())</node>"
    ) -> SmallDocument {
        var document = SmallDocument()
        document.asset = "<unit meter=\"0.01\"/><up_axis>Z_UP</up_axis>"
        document.geometries = patch("g", tiled: tiled) + more
        document.libraries = looks + libraries
        document.nodes = nodes
        return document
    }

    private static func convert(
        _ document: SmallDocument, _ compaction: ExportOptions.Compaction
    ) throws -> Conversion {
        var options = ExportOptions()
        options.compaction = compaction
        return try Conversion(document.bytes, options: options)
    }

    private static let ways: [ExportOptions.Compaction] = [.quantized, .meshopt]

    private static func deviation(_ subject: FidelitySubject, of conversion: Conversion) -> Double? {
        conversion.report.entries.first { $0.subject == subject }?.deviation
    }

    /// Compares what two files show: vertices are in another order.
    private static func compare(_ compact: Conversion, with plain: Conversion, size: Double) throws {
        let (found, meant) = (try compact.posed(), try plain.posed())
        #expect(found.count == meant.count)
        for (found, meant) in zip(found, meant) {
            #expect(found.indices.count == meant.indices.count)
            #expect(found.positions.count == meant.positions.count)
            let areas = (found.sides.reduce(.zero, +), meant.sides.reduce(.zero, +))
            #expect(((areas.0 - areas.1) * (areas.0 - areas.1)).sum().squareRoot() < size * size * 1e-3)
            for (index, place) in found.positions.enumerated() {
                let distances = meant.positions.map { (($0 - place) * ($0 - place)).sum().squareRoot() }
                let twin = try #require(distances.indices.min { distances[$0] < distances[$1] })
                #expect(distances[twin] < size / 20_000)
                let (normal, other) = (found.normals[index], meant.normals[twin])
                let cosine = (normal * other).sum() / ((normal * normal).sum() * (other * other).sum()).squareRoot()
                #expect(cosine > 0.99995)
                for (name, rows) in found.others {
                    let wanted = try #require(meant.others[name])
                    let share = name.hasPrefix("COLOR") ? 0.0021 : 1e-4
                    #expect(zip(rows[index], wanted[twin]).allSatisfy { abs($0 - $1) < share }, "\(name)")
                }
            }
        }
    }

    // MARK: - Meshes

    @Test(arguments: ways)
    func aMeshIsTheSame(_ way: ExportOptions.Compaction) throws {
        let (plain, compact) = (
            try Self.convert(Self.document(), .none), try Self.convert(Self.document(), way)
        )
        try Self.compare(compact, with: plain, size: 0.48)
        #expect(compact.bytes.count < plain.bytes.count * 2 / 3)
        let deviation = try #require(Self.deviation(.roundedPositions, of: compact))
        #expect(deviation > 0 && deviation < 1.0 / 20_000)
        let degrees = try #require(Self.deviation(.roundedDirections, of: compact))
        #expect(degrees > 0 && degrees < 0.5)
        let entry = try #require(compact.report.entries.first { $0.subject == .roundedPositions })
        #expect(entry.places.first?.hasPrefix("g by 0.0") == true && entry.places.first?.hasSuffix(" mm") == true)
    }

    @Test(arguments: ways)
    func coordinatesThatNoTextureUsesAreLeftOut(_ way: ExportOptions.Compaction) throws {
        func attributes(_ nodes: String, _ way: ExportOptions.Compaction) throws -> (Set<String>, FidelityReport) {
            let conversion = try Self.convert(Self.document(nodes: nodes), way)
            let mesh = try #require(conversion.checker.file?.list("meshes").first)
            return (
                Set(try #require(mesh["primitives"]?.elements.first?["attributes"]?.members.keys)), conversion.report
            )
        }
        let plain = "<node>\(Self.instance(["m": "plain"]))</node>"
        let (kept, _) = try attributes("<node>\(Self.instance())</node>", way)
        #expect(kept.contains("TEXCOORD_0"))
        let (left, report) = try attributes(plain, way)
        #expect(left == ["POSITION", "NORMAL", "COLOR_0"])
        #expect(
            report.entries.contains { $0.subject == .unusedCoordinates && $0.change == .dropped && $0.places == ["g"] })
        // One that is textured somewhere has them everywhere.
        #expect(try attributes(plain + "<node>\(Self.instance())</node>", way).0.contains("TEXCOORD_0"))
        #expect(try attributes(plain, .none).0.contains("TEXCOORD_0"))
    }

    /// Four parts: two of one symbol, one of another that is bound alike, one that is not.
    @Test(arguments: ways)
    func partsThatLookAlikeAreOne(_ way: ExportOptions.Compaction) throws {
        func triangles(_ symbol: String, _ corners: String) -> String {
            """
            <triangles count="1" material="\(symbol)"><input semantic="VERTEX" source="#g-v" offset="0"/>
            <input semantic="NORMAL" source="#g-n" offset="1"/><p>\(corners)</p></triangles>
            """
        }
        let parts =
            triangles("a", "0 0 1 0 2 0") + triangles("b", "0 0 2 0 3 0") + triangles("c", "0 0 1 0 3 0")
            + triangles("a", "1 0 2 0 3 0")
        func counts(_ nodes: String, _ way: ExportOptions.Compaction) throws -> [Int] {
            var document = SmallDocument()
            document.geometries = SmallDocument.square("g", primitive: parts)
            document.libraries = Self.looks
            document.nodes = nodes
            let conversion = try Self.convert(document, way)
            let file = try #require(conversion.checker.file)
            let joined = conversion.report.entries.first { $0.subject == .primitives }?.count ?? 0
            #expect(joined == 4 - (file.list("meshes")[0]["primitives"]?.elements.count ?? 0))
            return file.list("meshes").map { mesh in
                mesh["primitives"]?.elements.reduce(0) { sum, primitive in
                    let index = primitive["indices"]?.int ?? 0
                    return sum * 10 + (file.list("accessors")[index]["count"]?.int ?? 0) / 3
                } ?? 0
            }
        }
        let alike = "<node>\(Self.instance(["a": "plain", "b": "plain", "c": "textured"]))</node>"
        let apart = "<node>\(Self.instance(["a": "plain", "b": "textured", "c": "textured"]))</node>"
        #expect(try counts(alike, .none) == [1111])
        #expect(try counts(alike, way) == [31])
        // Shown in two ways, a and b are apart, and so are b and c.
        #expect(try counts(alike + apart, way) == [211, 211])
        #expect(try counts("<node><instance_geometry url=\"#g\"/></node>", way) == [4])
    }

    @Test func whatIsCompressedIsSmaller() throws {
        let quantized = try Self.convert(Self.document(), .quantized)
        let compressed = try Self.convert(Self.document(), .meshopt)
        #expect(compressed.bytes.count < quantized.bytes.count)
        let file = try #require(compressed.checker.file)
        #expect(
            file.list("extensionsRequired").compactMap(\.string) == [
                "EXT_meshopt_compression", "KHR_mesh_quantization",
            ])
        #expect(file.list("buffers").count == 2)
        #expect(file.list("buffers")[1]["extensions"]?["EXT_meshopt_compression"]?["fallback"] == .bool(true))
        let versions = file.list("bufferViews").compactMap { view -> UInt8? in
            view["extensions"]?["EXT_meshopt_compression"]?["byteOffset"]?.int.map { file.binary[$0] }
        }
        #expect(Set(versions).isSubset(of: [0xA0, 0xE1]) && versions.count > 3)
    }

    @Test(arguments: ways)
    func namesAndIdsStay(_ way: ExportOptions.Compaction) throws {
        let file = try #require(try Self.convert(Self.document(), way).checker.file)
        let node = try #require(file.list("nodes").first { $0["extras"]?["id"]?.string == "N" })
        #expect(node["name"]?.string == "N")
        let child = try #require(node["children"]?.elements.first?.int)
        #expect(file.list("nodes")[child]["mesh"]?.int == 0)
        #expect(file.list("meshes")[0]["extras"]?["id"]?.string == "g")
    }

    @Test(arguments: ways)
    func coordinatesBeyondThePictureAreNotCutOff(_ way: ExportOptions.Compaction) throws {
        let document = Self.document(tiled: 3)
        let compact = try Self.convert(document, way)
        #expect(try compact.posed().first?.others["TEXCOORD_0"] != nil)
        try Self.compare(compact, with: try Self.convert(document, .none), size: 0.48)
    }

    @Test(arguments: ways)
    func aPointOrALineIsNoTrouble(_ way: ExportOptions.Compaction) throws {
        var document = SmallDocument()
        document.geometries = SmallDocument.square(
            "square",
            primitive: """
                <lines count="1"><input semantic="VERTEX" source="#square-v" offset="0"/><p>0 0</p></lines>
                """)
        let compact = try Self.convert(document, way)
        #expect(try compact.posed().first?.positions == [.zero])
    }

    // MARK: - Skins and morphs

    @Test(arguments: ways)
    func aSkinStandsWhereItStood(_ way: ExportOptions.Compaction) throws {
        let side = 17
        // Three joints a vertex, whose weights add up in thirds.
        let pairs = (0..<side * side).map { "0 \($0 % 5) 1 \(($0 + 1) % 5) 2 \(($0 + 2) % 5)" }
        let weights = [0.3333333, 0.25, 0.4, 0.013, 0.0007]
        let binds = SkinDocument.identity + SkinDocument.translation(0, 1, 0) + SkinDocument.translation(5, 0, -2)
        let skin = """
            <library_controllers><controller id="c"><skin source="#g">
            <bind_shape_matrix>1 0 0 3 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>
            \(SmallDocument.names("c-j", ["A", "B", "C"]))\(SmallDocument.source("c-b", binds, "ABCDEFGHIJKLMNOP"))
            \(SmallDocument.source("c-w", weights, "W"))<joints><input semantic="JOINT" source="#c-j"/>
            <input semantic="INV_BIND_MATRIX" source="#c-b"/></joints><vertex_weights count="\(side * side)">
            <input semantic="JOINT" source="#c-j" offset="0"/><input semantic="WEIGHT" source="#c-w" offset="1"/>
            <vcount>\(pairs.map { _ in "3" }.joined(separator: " "))</vcount><v>\(pairs.joined(separator: " "))</v>
            </vertex_weights></skin></controller></library_controllers>
            """
        let nodes = """
            \(SkinDocument.joint("A", sid: "A", "<rotate>0 0 1 4</rotate>\(SkinDocument.joint("B", sid: "B", "<translate>0 0 1</translate>"))\(SkinDocument.joint("C", sid: "C"))"))
            <node id="N"><translate>50 50 50</translate>\(SkinDocument.instance())</node>
            """
        let document = Self.document(libraries: skin, nodes: nodes)
        let (plain, compact) = (try Self.convert(document, .none), try Self.convert(document, way))
        // Weights of 8 bits move a vertex by 1/510 of what its joints are apart.
        let (found, meant) = (try compact.posedBounds(), try plain.posedBounds())
        #expect(((found.min - meant.min) * (found.min - meant.min)).sum().squareRoot() < 1e-3)
        #expect(((found.max - meant.max) * (found.max - meant.max)).sum().squareRoot() < 1e-3)
        let checker = compact.checker
        #expect(checker.faults.isEmpty, "\(checker.faults)")
        let file = try #require(checker.file)
        let attributes = try #require(file.list("meshes")[0]["primitives"]?.elements.first?["attributes"])
        let rows = try #require(attributes["WEIGHTS_0"]?.int.flatMap { checker.accessors[$0] })
        for vertex in 0..<rows.count { #expect(rows.row(vertex).map { ($0 * 255).rounded() }.reduce(0, +) == 255) }
        #expect(attributes["JOINTS_0"]?.int.flatMap { checker.accessors[$0] }?.component == 5121)
        #expect(Self.deviation(.roundedPositions, of: compact) ?? 1 < 1.0 / 20_000)
    }

    @Test(arguments: ways, [0.0, 0.4, 1.0])
    func aMorphIsOnTheGridOfItsBase(_ way: ExportOptions.Compaction, _ weight: Double) throws {
        let morph = """
            <library_controllers><controller id="m"><morph source="#g" method="NORMALIZED"><source id="m-t">
            <IDREF_array id="m-ta" count="1">h</IDREF_array><technique_common><accessor source="#m-ta" count="1">
            <param type="IDREF"/></accessor></technique_common></source>\(SmallDocument.source("m-w", [weight], "W"))
            <targets><input semantic="MORPH_TARGET" source="#m-t"/><input semantic="MORPH_WEIGHT" source="#m-w"/>
            </targets></morph></controller></library_controllers>
            """
        // Further away than the mesh is large.
        let document = Self.document(
            libraries: morph, more: Self.patch("h", height: 45),
            nodes: "<node id=\"N\"><instance_controller url=\"#m\"/></node>")
        let compact = try Self.convert(document, way)
        let file = try #require(compact.checker.file)
        let node = try #require(file.list("nodes").first { $0["mesh"] != nil })
        #expect(node["scale"] != nil)
        let (found, meant) = (try compact.posedBounds(), try Self.convert(document, .none).posedBounds())
        #expect(((found.min - meant.min) * (found.min - meant.min)).sum().squareRoot() < 5e-5)
        #expect(((found.max - meant.max) * (found.max - meant.max)).sum().squareRoot() < 5e-5)
    }

    /// No grid of 16 bits holds both.
    @Test func aMorphThatGoesTooFarKeepsFloats() throws {
        let morph = """
            <library_controllers><controller id="m"><morph source="#g" method="RELATIVE"><source id="m-t">
            <IDREF_array id="m-ta" count="1">h</IDREF_array><technique_common><accessor source="#m-ta" count="1">
            <param type="IDREF"/></accessor></technique_common></source>\(SmallDocument.source("m-w", [1], "W"))
            <targets><input semantic="MORPH_TARGET" source="#m-t"/><input semantic="MORPH_WEIGHT" source="#m-w"/>
            </targets></morph></controller></library_controllers>
            """
        let document = Self.document(
            libraries: morph, more: Self.patch("h", height: 4_000),
            nodes: "<node id=\"N\"><instance_controller url=\"#m\"/></node>")
        for way in Self.ways {
            let compact = try Self.convert(document, way)
            let (found, meant) = (try compact.posedBounds(), try Self.convert(document, .none).posedBounds())
            #expect(((found.max - meant.max) * (found.max - meant.max)).sum().squareRoot() < 1e-5)
        }
    }

    // MARK: - Animations

    @Test func keysAreCompressedAndNear() throws {
        let times = (0..<60).map { Double($0) / 30 }
        let turn = SmallDocument.animation(
            "a", "N/r.ANGLE", times: times, values: times.map { 40 * ($0 * $0 + 1) }, "LINEAR")
        let move = SmallDocument.animation(
            "b", "N/t.X", times: times, values: times.map { 3 * $0 * $0 + 0.01 }, "LINEAR")
        let nodes = """
            <node id="N"><translate sid="t">0 0 0</translate><rotate sid="r">0 0 1 0</rotate>
            <instance_geometry url="#g"/></node>
            """
        let document = Self.document(
            libraries: "<library_animations>\(turn)\(move)</library_animations>", nodes: nodes)
        let (plain, compact) = (try Self.convert(document, .none), try Self.convert(document, .meshopt))
        let (meant, found) = (plain.checker, compact.checker)
        #expect(found.faults.isEmpty, "\(found.faults)")
        let outputs = { (checker: GLTFChecker) throws -> [(String, GLTFAccessor)] in
            let animation = try #require(checker.file?.list("animations").first)
            return try (animation["channels"]?.elements ?? []).map { channel in
                let sampler = try #require(channel["sampler"]?.int.flatMap { animation["samplers"]?.elements[$0] })
                let output = try #require(sampler["output"]?.int.flatMap { checker.accessors[$0] })
                return (channel["target"]?["path"]?.string ?? "", output)
            }
        }
        let pairs = zip(try outputs(meant), try outputs(found))
        for ((path, wanted), (other, values)) in pairs {
            #expect(path == other && wanted.count == values.count)
            #expect(zip(wanted.values, values.values).allSatisfy { abs($0 - $1) < 1e-3 }, "\(path)")
            if path == "rotation" { #expect(values.component == 5122) }
        }
        #expect(try outputs(found).count == 2)
        #expect(Self.deviation(.roundedRotations, of: compact) ?? 1 < 0.05)
        #expect(Self.deviation(.roundedTranslations, of: compact) ?? 1 < 1.0 / 20_000)
    }

    // MARK: - Losses

    @Test(arguments: ways)
    func whoWantsAllOfItIsRefused(_ way: ExportOptions.Compaction) throws {
        var options = ExportOptions()
        options.compaction = way
        options.protected = [.geometry]
        let error = #expect(throws: SceneExportError.self) {
            try Conversion(Self.document().bytes, options: options)
        }
        #expect(error?.code == .convertLoss)
        options.compaction = .none
        _ = try Conversion(Self.document().bytes, options: options)
    }
}

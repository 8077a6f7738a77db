import DaeMesh
import DaeScene
import Daedalus
import TestSupport
import Testing

/// What a renderer is handed is the scene: as many triangles, in the same places, at every moment.
@Suite struct DrawingTests {
    private static func model(_ name: String) async throws -> Dae.Model {
        try await Dae.load(.path(Repository.fixtures + "/" + name))
    }

    /// The box around everything that is drawn in a pose.
    private static func box(_ drawing: Dae.Drawing, _ pose: Dae.DrawnPose) -> (min: SIMD3<Float>, max: SIMD3<Float>)? {
        var box: (min: SIMD3<Float>, max: SIMD3<Float>)?
        for (place, instance) in drawing.instances.enumerated() {
            for part in drawing.meshes[instance.mesh].parts {
                let posed = part.posed(pose, instance: place)
                for index in posed.indices {
                    let at = Int(index) * 3
                    let point = SIMD3(posed.positions[at], posed.positions[at + 1], posed.positions[at + 2])
                    box = box.map { (pointwiseMin($0.min, point), pointwiseMax($0.max, point)) } ?? (point, point)
                }
            }
        }
        return box
    }

    @Test(arguments: [
        "bundles/chair.zip", "bundles/lamp.zae", "bundles/house.kmz", "bundles/walker.zip", "documents/skin.dae",
        "documents/morph.dae", "documents/skin-over-morph.dae", "documents/polylist.dae", "documents/polygons.dae",
        "documents/instance-node-dag.dae", "documents/nested-units.dae", "documents/tristrips.dae",
        "documents/two-instances.dae",
    ])
    func whatIsDrawnIsTheScene(name: String) async throws {
        let model = try await Self.model(name)
        let drawing = try model.drawing()
        var triangles = 0
        for instance in drawing.instances {
            let mesh = drawing.meshes[instance.mesh]
            #expect(instance.surfaces.count == mesh.parts.count)
            for part in mesh.parts {
                if part.topology == .triangles { triangles += part.indices.count / 3 }
                #expect(part.indices.allSatisfy { Int($0) < part.vertexCount })
                if part.topology == .triangles { #expect(part.normals.count == part.positions.count) }
                #expect(part.texcoords.allSatisfy { $0.count == 2 * part.vertexCount })
                #expect(part.joints.count == part.influences * part.vertexCount)
                #expect(part.weights.count == part.joints.count)
            }
        }
        #expect(triangles == model.inspection.scene.triangles)
        let bounds = try #require(Dae.SceneBounds(of: model.scene).box)
        let box = try #require(Self.box(drawing, drawing.pose()))
        let tolerance = Float((bounds.max - bounds.min).max()) * 1e-4 + 1e-5
        for axis in 0..<3 {
            #expect(abs(box.min[axis] - Float(bounds.min[axis])) <= tolerance)
            #expect(abs(box.max[axis] - Float(bounds.max[axis])) <= tolerance)
        }
    }

    /// The same places as the evaluator of skins and morphs has, which takes another way.
    @Test(arguments: ["bundles/walker.zip", "documents/skin.dae", "documents/morph.dae", "documents/animations.dae"])
    func aPoseIsThatOfTheDeformer(name: String) async throws {
        let model = try await Self.model(name)
        let scene = model.scene
        let drawing = try model.drawing()
        var evaluator = Dae.PoseEvaluator(scene: scene, channels: scene.channels)
        for time in [0, 0.3, 1.1] {
            evaluator.move(to: time)
            let deformer = Dae.Deformer(scene: scene, pose: evaluator)
            var points: [SIMD3<Float>] = []
            evaluator.forEachPlacement(in: scene) { node, matrix in
                for instance in scene.nodes[node].instances {
                    guard let all = deformer.positions(of: instance, placedBy: matrix) else { continue }
                    for at in stride(from: 0, to: all.count - 2, by: 3) {
                        points.append(SIMD3(Float(all[at]), Float(all[at + 1]), Float(all[at + 2])))
                    }
                }
            }
            let pose = drawing.pose(at: time)
            for (place, instance) in drawing.instances.enumerated() {
                for part in drawing.meshes[instance.mesh].parts {
                    let posed = part.posed(pose, instance: place)
                    for vertex in 0..<posed.vertexCount {
                        let point = SIMD3(
                            posed.positions[3 * vertex], posed.positions[3 * vertex + 1],
                            posed.positions[3 * vertex + 2])
                        let nearest = points.map { ($0 - point).squaredLength }.min() ?? .infinity
                        #expect(nearest < 1e-6, "\(name) at \(time): \(point)")
                    }
                    for vertex in 0..<posed.vertexCount where !posed.normals.isEmpty {
                        let normal = SIMD3(
                            posed.normals[3 * vertex], posed.normals[3 * vertex + 1], posed.normals[3 * vertex + 2])
                        #expect(abs(normal.squaredLength - 1) < 1e-3)
                    }
                }
            }
        }
    }

    // MARK: - Normals and tangents

    /// A cube of six quads without normals, its faces outwards.
    private static let cube = document(
        positions: "0 0 0  1 0 0  1 1 0  0 1 0  0 0 1  1 0 1  1 1 1  0 1 1",
        primitive: """
            <polylist count="6"><input semantic="VERTEX" source="#v" offset="0"/><vcount>4 4 4 4 4 4</vcount>
            <p>0 3 2 1  4 5 6 7  0 1 5 4  2 3 7 6  1 2 6 5  3 0 4 7</p></polylist>
            """)

    private static func document(positions: String, texcoords: String = "", primitive: String) -> [UInt8] {
        let count = positions.split(whereSeparator: \.isWhitespace).count
        let places = texcoords.split(whereSeparator: \.isWhitespace).count
        let uv = """
            <source id="t"><float_array id="tf" count="\(places)">\(texcoords)</float_array><technique_common>
            <accessor source="#tf" count="\(places / 2)" stride="2"><param name="S" type="float"/><param name="T" \
            type="float"/></accessor></technique_common></source>
            """
        return Array(
            """
            <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit meter="1"/>\
            <up_axis>Y_UP</up_axis></asset><library_geometries><geometry id="g"><mesh><source id="p"><float_array \
            id="pf" count="\(count)">\(positions)</float_array><technique_common><accessor source="#pf" \
            count="\(count / 3)" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" \
            type="float"/></accessor></technique_common></source>\(texcoords.isEmpty ? "" : uv)<vertices id="v"><input \
            semantic="POSITION" source="#p"/></vertices>\(primitive)</mesh></geometry></library_geometries>\
            <library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node>\
            </visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>
            """.utf8)
    }

    private static func part(
        _ document: [UInt8], _ change: (inout Dae.Drawing.Options) -> Void
    ) async throws -> Dae.DrawnPart {
        let model = try await Dae.load(.bytes(document, name: "a.dae"))
        var options = Dae.Drawing.Options()
        change(&options)
        return try #require(try model.drawing(options).meshes.first?.parts.first)
    }

    @Test func edgesSharperThanTheCreaseAngleStaySharp() async throws {
        let flat = try await Self.part(Self.cube) { $0.creaseAngle = 40 }
        #expect(flat.vertexCount == 24)
        for vertex in 0..<24 {
            let normal = (0..<3).map { abs(flat.normals[3 * vertex + $0]) }.sorted()
            #expect(normal[2] > 0.999 && normal[1] < 0.001)
        }
        // Each triangle's normals are its own direction.
        for face in stride(from: 0, to: flat.indices.count, by: 3) {
            let corners = (0..<3).map { corner in
                let at = Int(flat.indices[face + corner]) * 3
                return SIMD3(flat.positions[at], flat.positions[at + 1], flat.positions[at + 2])
            }
            let at = Int(flat.indices[face]) * 3
            let normal = SIMD3(flat.normals[at], flat.normals[at + 1], flat.normals[at + 2])
            let (side, other) = (corners[1] - corners[0], corners[2] - corners[0])
            let across = SIMD3(
                side.y * other.z - side.z * other.y, side.z * other.x - side.x * other.z,
                side.x * other.y - side.y * other.x)
            #expect((across * normal).sum() > 0.99)
        }
        let smooth = try await Self.part(Self.cube) { $0.creaseAngle = 180 }
        #expect(smooth.vertexCount == 8)
        for vertex in 0..<8 {
            let outwards = (0..<3).map { smooth.positions[3 * vertex + $0] - 0.5 }
            for lane in 0..<3 { #expect(abs(smooth.normals[3 * vertex + lane] - outwards[lane] * 1.1547) < 0.01) }
        }
    }

    @Test(arguments: Dae.Drawing.TextureOrigin.allCases)
    func tangentsRunAlongThePicture(origin: Dae.Drawing.TextureOrigin) async throws {
        // Two triangles side by side, the second with its picture mirrored.
        let document = Self.document(
            positions: "0 0 0  1 0 0  1 1 0  2 0 0  2 1 0", texcoords: "0 0  1 0  1 1  0 0  0 1",
            primitive: """
                <triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="TEXCOORD" \
                source="#t" offset="1"/><p>0 0 1 1 2 2  1 1 3 3 2 2</p></triangles>
                """)
        let part = try await Self.part(document) { options in
            options.tangents = true
            options.textureOrigin = origin
        }
        // Where both meet each has its own.
        #expect(part.vertexCount == 6)
        #expect(part.tangents.count == 24)
        for vertex in 0..<part.vertexCount {
            let isMirrored = part.tangents[4 * vertex] < 0
            #expect(abs(abs(part.tangents[4 * vertex]) - 1) < 1e-5)
            // Up the picture is up in space for both: cross(normal, tangent) points down for the mirrored one.
            #expect(part.tangents[4 * vertex + 3] == (isMirrored ? -1 : 1))
        }
        #expect(part.tangents.indices.filter { $0 % 4 == 0 && part.tangents[$0] < 0 }.count == 3)
        let highest = part.texcoords[0].indices.filter { $0 % 2 == 1 && part.positions[$0 / 2 * 3 + 1] == 1 }
        #expect(highest.allSatisfy { part.texcoords[0][$0] == (origin == .topLeft ? 0 : 1) })
    }

    /// A node that mirrors what it shows turns its triangles, which then are what their normals say all the same.
    @Test func whatIsMirroredFacesOutwards() async throws {
        let text = String(decoding: Self.cube, as: UTF8.self)
            .replacing("<node id=\"n\">", with: "<node id=\"n\"><scale>-1 1 1</scale>")
        let drawing = try await Dae.load(.bytes(Array(text.utf8), name: "a.dae")).drawing()
        #expect(drawing.instances.map(\.isMirrored) == [true])
        let part = drawing.meshes[0].parts[0].posed(drawing.pose(), instance: 0)
        for face in stride(from: 0, to: part.indices.count, by: 3) {
            func vector(_ numbers: [Float], _ corner: Int) -> SIMD3<Float> {
                let at = Int(part.indices[face + corner]) * 3
                return SIMD3(numbers[at], numbers[at + 1], numbers[at + 2])
            }
            let first = vector(part.positions, 0)
            let (side, other) = (vector(part.positions, 1) - first, vector(part.positions, 2) - first)
            let across = SIMD3(
                side.y * other.z - side.z * other.y, side.z * other.x - side.x * other.z,
                side.x * other.y - side.y * other.x)
            #expect((across * vector(part.normals, 0)).sum() > 0.99)
        }
    }

    /// One point in which very many faces meet takes no time that grows with their square.
    @Test func aFanOfManyFacesIsSmoothed() async throws {
        let count = 20_000
        var positions = "0 0 1"
        var corners = ""
        for place in 0..<count {
            positions += " \(place) \(place % 7) 0"
            if place > 0 { corners += " 0 \(place) \(place + 1)" }
        }
        let part = try await Self.part(
            Self.document(
                positions: positions,
                primitive: """
                    <triangles count="\(count - 1)"><input semantic="VERTEX" source="#v" offset="0"/><p>\(corners)</p>\
                    </triangles>
                    """)
        ) { _ in }
        #expect(part.normals.count == part.positions.count)
        #expect(part.normals.allSatisfy { $0.isFinite })
    }

    /// Primitives of one material are one buffer, each of a material of its own a buffer of its own, however many there are.
    @Test func partsAreOneForEachMaterial() async throws {
        let count = 5_000
        let primitives = (0..<count).map {
            """
            <triangles count="1" material="\($0 % 2 == 0 ? "shared" : "m\($0)")"><input semantic="VERTEX" source="#v" \
            offset="0"/><p>0 1 2</p></triangles>
            """
        }
        let document = Self.document(positions: "0 0 0  1 0 0  0 1 0", primitive: primitives.joined())
        let mesh = try #require(try await Dae.load(.bytes(document, name: "a.dae")).drawing().meshes.first)
        #expect(mesh.parts.count == 1 + count / 2)
        #expect(mesh.parts.first?.symbol == "shared")
        #expect(mesh.parts.first?.indices.count == 3 * count / 2)
    }

    @Test func aPoseAtNoTimeIsAPose() async throws {
        let drawing = try await Self.model("bundles/walker.zip").drawing()
        for time in [Double.nan, .infinity, -.infinity] {
            let pose = drawing.pose(at: time)
            #expect(pose.transforms.count == drawing.instances.count)
        }
    }

    @Test func aDrawingThatIsStoppedSaysSo() async throws {
        let model = try await Self.model("bundles/walker.zip")
        let error = #expect(throws: SceneExportError.self) { _ = try model.drawing(.init(), isCancelled: { true }) }
        #expect(error?.message == SceneExportError.stopped.message)
    }
}

extension SIMD3<Float> {
    fileprivate var squaredLength: Float { (self * self).sum() }
}

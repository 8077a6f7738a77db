import Daedalus

/// Draws a scene at any time, without light: into triangles and segments of the world.
struct SceneFlattener {
    private let scene: Scene
    private let pictures: [FlatSurface.Picture]
    private var pose: PoseEvaluator
    private let world: Matrix4

    /// Whether anything moves.
    let isAnimated: Bool  // a fact about the scene

    init(_ reading: ConformanceReading) {
        scene = reading.scene
        pictures = reading.pictures
        let channels = scene.animations.flatMap(\.channels)
        isAnimated = !channels.isEmpty
        pose = PoseEvaluator(scene: scene, channels: channels)
        world = Matrix4.toMetersYUp(scene)
    }

    mutating func flatten(at time: Double) -> FlatScene {
        pose.move(to: time)
        var flat = FlatScene()
        var placements: [(node: SceneIndex<Node>, matrix: Matrix4)] = []
        pose.forEachPlacement(in: scene) { placements.append(($0, $1)) }
        for (index, matrix) in placements {
            for instance in scene.nodes[index].instances {
                switch instance {
                case .geometry(_, let materials), .controller(_, let materials):
                    add(instance, materials, under: matrix, to: &flat)
                case .camera(let camera):
                    flat.cameras.append(FlatCamera(scene.cameras[camera], at: world * matrix, scene.metersPerUnit))
                case .light(let light):
                    flat.lights.append(FlatLight(scene.lights[light], at: world * matrix, scene.metersPerUnit))
                }
            }
        }
        return flat
    }

    private func add(
        _ instance: Instance, _ materials: [MaterialBinding], under matrix: Matrix4, to flat: inout FlatScene
    ) {
        guard let drawn = scene.drawn(by: instance), let mesh = scene.geometries[drawn.geometry].mesh,
            let stream = mesh.streams.first(where: { $0.semantic == .position })
        else { return }
        let placed = world * matrix * drawn.matrix
        let positions = (0..<stream.count).map { index in
            placed.transform(
                point: SIMD3(stream.value(index, lane: 0), stream.value(index, lane: 1), stream.value(index, lane: 2)))
        }
        var triangulator = Triangulator()
        for primitive in mesh.primitives {
            let binding = materials.first { $0.symbol == primitive.material }
            let material = binding?.material.map { scene.materials[$0] }
            let surface = material.map { FlatSurface($0, pictures: pictures) } ?? .unbound
            let corners = CornerReader(
                mesh, primitive, positions: positions, normals: placed.normalMatrix,
                texcoords: texcoords(of: material, binding, primitive, mesh))
            let triangles = mesh.triangles(of: primitive, using: &triangulator).corners
            for at in stride(from: 0, to: triangles.count - 2, by: 3) {
                let three = (at..<at + 3).map { corners.vertex(Int(triangles[$0])) }
                flat.triangles.append(FlatTriangle(corners: corners.shaded(three), surface: surface))
            }
            for pair in primitive.segments {
                flat.segments.append(
                    FlatSegment(ends: [corners.vertex(pair.0), corners.vertex(pair.1)].map(\.plain), surface: surface))
            }
        }
    }

    /// The inputs that a material's textures read, each once; pictures of one colour need none.
    private func texcoords(
        of material: Material?, _ binding: MaterialBinding?, _ primitive: Mesh.Primitive, _ mesh: Mesh
    ) -> [Int] {
        let textures = (material?.textures ?? []).filter { pictures[$0.image.value].onlyColor == nil }
        return Set(textures.compactMap { binding?.texcoords(for: $0.texcoord, in: primitive, of: mesh)?.input })
            .sorted()
    }
}

extension Mesh.Primitive {
    /// The segments of lines and line strips, as pairs of corners.
    fileprivate var segments: [(Int, Int)] {
        switch kind {
        case .triangles, .polylist, .polygons, .tristrips, .trifans: return []
        case .lines: return (0..<corners / 2).map { ($0 * 2, $0 * 2 + 1) }
        case .linestrips:
            var pairs: [(Int, Int)] = []
            var start = 0
            for count in cornerCounts {
                let end = start + Int(count)
                for corner in start..<max(start, end - 1) { pairs.append((corner, corner + 1)) }
                start = end
            }
            return pairs
        }
    }
}

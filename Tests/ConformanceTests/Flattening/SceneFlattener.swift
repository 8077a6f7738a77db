import Daedalus

/// Draws a scene at any time, without light: into triangles and segments of the world.
struct SceneFlattener {
    private let scene: Scene
    private let pictures: [FlatSurface.Picture]
    /// By the scene's geometries, which begin with the document's.
    private let shapes: [String?]
    private var pose: PoseEvaluator
    private let world: Matrix4

    /// Whether anything moves.
    let isAnimated: Bool  // a fact about the scene

    init(_ reading: ConformanceReading) {
        scene = reading.scene
        pictures = reading.pictures
        shapes = reading.document.geometries.map { geometry in
            geometry.kind.brep.map { "\($0.curves.map(\.form)) \($0.surfaces.map(\.form))" }
        }
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
        let deformer = Deformer(scene: scene, pose: pose)
        for (index, matrix) in placements {
            for instance in scene.nodes[index].instances {
                switch instance {
                case .geometry(_, let materials), .controller(_, _, let materials):
                    add(instance, materials, under: matrix, deformer, to: &flat)
                case .camera(let camera):
                    flat.cameras.append(
                        FlatCamera(pose.camera(camera, in: scene), at: world * matrix, scene.metersPerUnit))
                case .light(let light):
                    flat.lights.append(FlatLight(pose.light(light, in: scene), at: world * matrix, scene.metersPerUnit))
                }
            }
        }
        return flat
    }

    private func add(
        _ instance: Instance, _ materials: [MaterialBinding], under matrix: Matrix4, _ deformer: Deformer,
        to flat: inout FlatScene
    ) {
        if let drawn = scene.drawn(by: instance)?.geometry.value, drawn < shapes.count, let shape = shapes[drawn] {
            flat.shapes.append(shape)
        }
        guard let drawn = scene.drawn(by: instance), let written = scene.geometries[drawn.geometry].mesh,
            let points = deformer.positions(of: instance, placedBy: matrix)
        else { return }
        let positions = stride(from: 0, to: points.count - 2, by: 3).map {
            world.transform(point: SIMD3(points[$0], points[$0 + 1], points[$0 + 2]))
        }
        // Polygons are cut where they stand: one that is not flat may be cut otherwise before it was deformed.
        let mesh = written.placed(at: points)
        // A deformed surface has the normals of its facets.
        let normals = instance.isRigid ? (world * matrix).normalMatrix : nil
        var triangulator = Triangulator()
        for primitive in mesh.primitives {
            let binding = materials.first { $0.symbol == primitive.material }
            let material = binding?.material.map { scene.materials[$0] }
            let surface = material.map { FlatSurface($0, pictures: pictures) } ?? .unbound
            let corners = CornerReader(
                mesh, primitive, positions: positions, normals: normals,
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

extension Instance {
    /// Whether it moves as its node does.
    fileprivate var isRigid: Bool {
        switch self {
        case .geometry: true
        case .controller, .camera, .light: false
        }
    }
}

extension Mesh {
    /// The mesh with other positions, x y z after x y z.
    fileprivate func placed(at points: [Double]) -> Mesh {
        var mesh = self
        for (index, stream) in streams.enumerated() where stream.semantic == .position {
            mesh.streams[index] = Stream(
                semantic: .position, values: NumberArray(points), offset: 0, stride: 3, lanes: [0, 1, 2],
                count: stream.count)
        }
        return mesh
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

extension ColladaDocument.Geometry.Kind {
    /// `nil` for what is none.
    var brep: ColladaDocument.Brep? {
        switch self {
        case .brep(let brep): brep
        case .mesh, .convexMesh, .spline, .empty: nil
        }
    }
}

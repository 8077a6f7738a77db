import Daedalus
import Testing

extension ConformanceReading {
    /// What is drawn at a time, in metres with y up.
    func flat(at time: Double = 0) -> FlatScene {
        var flattener = SceneFlattener(self)
        return flattener.flatten(at: time)
    }

    /// The box around what is drawn, in metres with y up: the least x y z, then the greatest.
    func box(at time: Double = 0) -> [Double]? {
        flat(at: time).bounds.map { $0.min.list + $0.max.list }
    }

    /// That so many triangles are drawn, within a box in metres with y up.
    func expectDrawn(
        triangles: Int, box expected: [Double], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(flat().triangles.count == triangles, sourceLocation: sourceLocation)
        expect(box(), expected, sourceLocation: sourceLocation)
    }

    // MARK: - Nodes

    func node(_ id: String) throws -> SceneIndex<Node> {
        let place = scene.nodes.firstIndex { $0.id == id || ($0.id == nil && $0.name == id) }
        return SceneIndex(try #require(place, "no node \(id)"))
    }

    /// From a node to the world, row by row, in the document's own units and axes.
    func world(_ id: String, at time: Double = 0) throws -> [Double]? {
        try worldMatrix(id, at: time)?.rows
    }

    /// Where a node's origin is in the world, in the document's own units and axes.
    func place(_ id: String, at time: Double = 0) throws -> [Double]? {
        try worldMatrix(id, at: time)?.origin.list
    }

    private func worldMatrix(_ id: String, at time: Double) throws -> Matrix4? {
        var pose = PoseEvaluator(scene: scene, channels: scene.animations.flatMap(\.channels))
        pose.move(to: time)
        return pose.worlds(in: scene)[try node(id).value]
    }

    // MARK: - Lights and cameras, once for each place they are in

    var lights: [FlatLight] { flat().lights }
    var cameras: [FlatCamera] { flat().cameras }

    // MARK: - Libraries

    func geometry(_ id: String) throws -> Geometry {
        try #require(scene.geometries.first { $0.id == id }, "no geometry \(id)")
    }

    func mesh(_ id: String) throws -> Mesh { try #require(try geometry(id).mesh, "no mesh \(id)") }

    func camera(_ id: String) throws -> Camera {
        try #require(scene.cameras.first { $0.id == id }, "no camera \(id)")
    }

    func light(_ id: String) throws -> Light { try #require(scene.lights.first { $0.id == id }, "no light \(id)") }

    func material(_ id: String) throws -> Material {
        try #require(scene.materials.first { $0.id == id }, "no material \(id)")
    }

    /// The numbers of the streams of a meaning, element after element.
    func values(_ semantic: Mesh.Semantic, of geometry: String) throws -> [[Double]] {
        try mesh(geometry).streams.filter { $0.semantic == semantic }.map { stream in
            (0..<stream.count).flatMap { index in stream.lanes.indices.map { stream.value(index, lane: $0) } }
        }
    }
}

extension SIMD3<Double> {
    var list: [Double] { [x, y, z] }
}

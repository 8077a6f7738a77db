import SceneModel

/// What moves the vertices of a mesh, by position: joints and weights, and the differences to morph targets.
struct Deformation {
    /// Joints of one vertex that are written; a multiple of 4.
    private(set) var influences = 0
    /// ``influences`` joints a position; the extra one of ``usesBindShape`` is the skin's last.
    private(set) var joints: [UInt16] = []
    /// Of each joint, in the same order; a vertex' weights sum up to 1.
    private(set) var weights: [Float] = []
    /// Whether some vertex stays where its node is: the joint behind the skin's own stands for that.
    private(set) var usesBindShape = false  // a finding about the vertices
    /// x y z for each position, for each target.
    private(set) var targets: [[Float]] = []
    /// Applied to positions first.
    private(set) var bindShape = Matrix4.identity

    static let none = Deformation()

    /// Positions that it has numbers for.
    private(set) var vertices = 0

    /// Words that a vertex record gets of it.
    var width: Int { influences * 2 + targets.count * 3 }

    init() {}

    /// - Parameters:
    ///   - skin: The skin nearest to the mesh's instance, if any.
    ///   - positions: Of the mesh, the stream that its morphs are shapes of.
    ///   - vertices: Of the longest stream of positions that a primitive of the mesh may have, at least those of
    ///     `positions`.
    ///   - limit: Influences of a vertex that are written at most: 4 or 8.
    init(
        skin: Skin?, targets: [ShapeTarget], positions: Mesh.Stream, vertices: Int, limit: Int,
        _ report: inout FidelityReport, at place: String?
    ) {
        self.vertices = max(vertices, positions.count)
        if let skin {
            bindShape = skin.bindShape
            bind(skin, limit: limit, &report, place)
        }
        blend(targets, positions, &report, place)
    }

    /// Has positions written about another place than the origin.
    mutating func move(origin: SIMD3<Double>) { bindShape = Matrix4(translation: -origin) * bindShape }

    // MARK: - Skins

    private mutating func bind(_ skin: Skin, limit: Int, _ report: inout FidelityReport, _ place: String?) {
        let vertices = vertices
        var lists = InfluenceLists(vertices: vertices, limit: limit)
        // Joints are numbered in 16 bits: a skin of more has the rest bound to the last.
        let count = min(skin.joints.count, Int(UInt16.max))
        skin.influences.forEach(joints: count) { vertex, joint, weight in
            guard vertex < vertices else { return }
            switch joint {
            case .joint(let joint): lists.add(joint, weight, to: vertex)
            case .bindShape: lists.add(count, weight, to: vertex)
            }
        }
        lists.settle(bindShape: count)
        usesBindShape = lists.usesBindShape
        influences = lists.mostUsed > 4 ? 8 : 4
        joints = lists.joints(influences)
        weights = lists.weights(influences)
        report.add(.dropped, .influences, count: lists.lost, at: place)
        report.add(.approximated, .weights, count: lists.normalized, at: place)
    }

    // MARK: - Morphs

    private mutating func blend(
        _ shapes: [ShapeTarget], _ base: Mesh.Stream, _ report: inout FidelityReport, _ place: String?
    ) {
        let linear = bindShape.withoutTranslation
        for shape in shapes {
            let stream = shape.mesh?.streams.first { $0.semantic == .position }
            var differences: [Float] = []
            differences.reserveCapacity(vertices * 3)
            var isWritten = stream?.count == base.count
            if let stream, isWritten {
                for index in 0..<base.count {
                    var difference = stream.point(index)
                    switch shape.method {
                    case .normalized: difference -= base.point(index)
                    case .relative: break
                    }
                    let moved = linear.transform(point: difference)
                    for number in [Float(moved.x), Float(moved.y), Float(moved.z)] {
                        if !number.isFinite { isWritten = false }
                        differences.append(number.isFinite ? number : 0)
                    }
                }
            }
            if !isWritten { report.add(.dropped, .morphTargets, at: place) }
            // A stream that is longer than the one of the shapes stays where it is.
            differences += [Float](repeating: 0, count: vertices * 3 - differences.count)
            targets.append(differences)
        }
    }
}

extension Mesh.Stream {
    func point(_ index: Int) -> SIMD3<Double> {
        SIMD3(value(index, lane: 0), value(index, lane: 1), value(index, lane: 2))
    }
}

extension Matrix4 {
    var withoutTranslation: Matrix4 {
        Matrix4(columns: (columns.0, columns.1, columns.2, [0, 0, 0, 1]))
    }
}

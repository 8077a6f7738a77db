package import DaeScene

/// What moves the vertices of a mesh, by position: joints and weights, and the differences to morph targets.
struct Deformation {
    /// Joints of one vertex that are written; a multiple of 4.
    private(set) var influences = 0
    /// ``influences`` joints a position; the extra one of ``usesBindShape`` is the skin's last.
    private(set) var joints: [UInt16] = []
    /// Of each joint, in the same order; a vertex' weights sum up to 1.
    private(set) var weights: [Float] = []
    /// Whether some vertex stays where its node is: the joint behind the skin's own stands for that.
    private(set) var usesBindShape = false
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
        let count = PreparedSkin.jointCount(of: skin)
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

/// The strongest influences of each vertex, at most as many as are asked for.
struct InfluenceLists {
    private let limit: Int
    private let vertices: Int
    /// `limit` a vertex, the strongest first.
    private var joint: [UInt16]
    private var weight: [Double]
    private var used: [UInt8]
    /// Influences for which there was no room.
    private(set) var lost = 0
    /// Vertices whose weights did not sum up to 1.
    private(set) var normalized = 0
    /// Whether some vertex has the bind shape among what moves it.
    private(set) var usesBindShape = false

    /// How far a sum of weights may be from 1 and still be rounding.
    private static let tolerance = 1e-4

    /// - Parameter limit: 1...255.
    init(vertices: Int, limit: Int) {
        self.vertices = vertices
        self.limit = limit
        joint = [UInt16](repeating: 0, count: vertices * limit)
        weight = [Double](repeating: 0, count: vertices * limit)
        used = [UInt8](repeating: 0, count: vertices)
    }

    /// A weight of nothing, a negative one and one that is no number move nothing; a joint named twice is one.
    mutating func add(_ number: Int, _ amount: Double, to vertex: Int) {
        guard amount > 0, amount.isFinite else { return }
        let start = vertex * limit
        var count = Int(used[vertex])
        var amount = amount
        if let same = (start..<start + count).first(where: { joint[$0] == number }) {
            amount += weight[same]
            count -= 1
            for place in same..<start + count {
                joint[place] = joint[place + 1]
                weight[place] = weight[place + 1]
            }
        }
        if count == limit {
            lost += 1
            guard amount > weight[start + limit - 1] else { return }
            count -= 1
        }
        var place = start + count
        while place > start, weight[place - 1] < amount {
            joint[place] = joint[place - 1]
            weight[place] = weight[place - 1]
            place -= 1
        }
        joint[place] = UInt16(clamping: number)
        weight[place] = amount
        used[vertex] = UInt8(count + 1)
    }

    /// Brings each vertex' weights to a sum of 1; one without any gets the bind shape.
    mutating func settle(bindShape: Int) {
        for vertex in 0..<vertices {
            let places = vertex * limit..<vertex * limit + Int(used[vertex])
            let sum = places.reduce(0) { $0 + weight[$1] }
            // What was moved up left its trace behind.
            for place in places.upperBound..<(vertex + 1) * limit { (joint[place], weight[place]) = (0, 0) }
            if places.isEmpty {
                joint[vertex * limit] = UInt16(clamping: bindShape)
                weight[vertex * limit] = 1
                used[vertex] = 1
                usesBindShape = true
                continue
            }
            if abs(sum - 1) > Self.tolerance { normalized += 1 }
            for place in places {
                weight[place] /= sum
                if Int(joint[place]) == bindShape { usesBindShape = true }
            }
        }
    }

    /// Influences of the vertex that has most.
    var mostUsed: Int { Int(used.max() ?? 0) }

    /// The joints of every vertex, `count` each, filled up with 0.
    func joints(_ count: Int) -> [UInt16] { cut(joint, count, 0) }
    /// The weights of every vertex, `count` each, filled up with 0.
    func weights(_ count: Int) -> [Float] { cut(weight, count, 0).map { Float($0) } }

    private func cut<Value>(_ values: [Value], _ count: Int, _ filling: Value) -> [Value] {
        if count == limit { return values }
        var result: [Value] = []
        result.reserveCapacity(vertices * count)
        for vertex in 0..<vertices {
            for place in 0..<count { result.append(place < limit ? values[vertex * limit + place] : filling) }
        }
        return result
    }
}

// Morphs stand on morphs in COLLADA. All of them are sums, so one list of targets says them all: what an outer one takes
// away from the shape below it, it takes from the weights of the inner ones.

/// The morphs between a mesh and what draws it, as one.
package struct MorphChain: Sendable {
    /// From the mesh up.
    package let controllers: [SceneIndex<Controller>]
    private let morphs: [Morph]

    /// - Returns: `nil` where no controller between the mesh and the given one is a morph.
    package init?(_ scene: Scene, from controller: SceneIndex<Controller>?) {
        guard let controller else { return nil }
        var levels: [(SceneIndex<Controller>, Morph)] = []
        for index in scene.chain(from: controller).reversed() {
            switch scene.controllers[index.value].kind {
            case .morph(let morph): levels.append((index, morph))
            case .skin, nil: continue
            }
        }
        guard !levels.isEmpty else { return nil }
        controllers = levels.map(\.0)
        morphs = levels.map(\.1)
    }

    /// The targets of all, those of the innermost first.
    func targets(in scene: Scene) -> [ShapeTarget] {
        morphs.flatMap { morph in
            morph.targets.map { target in
                let mesh = target.geometry.flatMap { scene.geometries[$0].mesh }
                return ShapeTarget(geometry: target.geometry, mesh: mesh, method: morph.method)
            }
        }
    }

    var targetCount: Int { morphs.reduce(0) { $0 + $1.targets.count } }

    /// Of all targets, as the document has them.
    package var restWeights: [Double] { weights(levels: morphs.map(Self.rest)) }

    /// Of one morph's targets, 0 where none is given.
    static func rest(_ morph: Morph) -> [Double] {
        let count = morph.targets.count
        return Array(morph.weights.prefix(count)) + [Double](repeating: 0, count: max(0, count - morph.weights.count))
    }

    /// The weights of all targets.
    ///
    /// - Parameter levels: Those that each morph gives its own.
    func weights(levels: [[Double]]) -> [Double] {
        // What an outer one leaves of the shape below it counts for all within.
        var shares = [Double](repeating: 1, count: levels.count)
        for place in levels.indices.dropFirst().reversed() {
            switch morphs[place].method {
            case .normalized: shares[place - 1] = shares[place] * (1 - levels[place].reduce(0, +))
            case .relative: shares[place - 1] = shares[place]
            }
        }
        return zip(levels, shares).flatMap { weights, share in weights.map { $0 * share } }
    }
}

// Morphs stand on morphs in COLLADA. All of them are sums, so one list of targets says them all: what an outer one takes
// away from the shape below it, it takes from the weights of the inner ones.

import SceneModel

/// The morphs between a mesh and what draws it, as one.
struct MorphChain {
    struct Target {
        let geometry: SceneIndex<Geometry>?
        /// Of its morph: whether it is a whole shape or a difference.
        let method: Morph.Method
    }
    /// From the mesh up.
    let controllers: [SceneIndex<Controller>]
    private let morphs: [Morph]

    /// - Returns: `nil` where no controller between the mesh and the given one is a morph.
    init?(_ scene: Scene, from controller: SceneIndex<Controller>?) {
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
    var targets: [Target] {
        morphs.flatMap { morph in morph.targets.map { Target(geometry: $0.geometry, method: morph.method) } }
    }

    var targetCount: Int { morphs.reduce(0) { $0 + $1.targets.count } }

    /// Of all targets, as the document has them.
    var restWeights: [Double] { weights(levels: morphs.map(Self.rest)) }

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

extension Dae {
    /// A scene's nodes, and whatever else its channels move, at one time.
    ///
    /// Holds a matrix a node; a step to another time computes anew only the nodes that a channel moves.
    public struct PoseEvaluator: Sendable {
        /// From each node to the one around it, in the order of the scene's nodes.
        public private(set) var locals: [Matrix4]
        /// Channels whose target is not in the scene, has no such member, or takes another count of values than the curve
        /// gives; also those without keys. They move nothing.
        package private(set) var misfits: [Int] = []

        let channels: [AnimationChannel]
        /// By controller, the weights of morphs as the document has them, and the channels that move them.
        let restWeights: [Int: [Double]]
        private(set) var weightChannels: [Int: [Int]] = [:]
        private(set) var lightChannels: [Int: [Int]] = [:]
        /// The last channel of each target that is no transform.
        private(set) var parameterChannels: [AnimationTarget: Int] = [:]
        /// Whether the channel moves a node, and where else its values are.
        private var places: [Place]
        private var nodes: [MovedNode] = []
        /// The transforms of the moved nodes at the present time, and as the document has them.
        private var transforms: [Transform] = []
        private var rest: [Transform] = []
        private var numbers: [Double]

        private enum Place: Sendable {
            case misfit
            case transform(AnimationMember, in: Int, width: Int)
            case numbers(Range<Int>)
        }

        private struct MovedNode: Sendable {
            let node: Int
            /// Its transforms among all that are moved.
            let transforms: Range<Int>
        }

        /// Two channels with one target: the later one wins where they overlap.
        public init(scene: Scene, channels: [AnimationChannel]) {
            self.channels = channels
            locals = scene.nodes.map(\.matrix)
            restWeights = scene.restWeights
            places = []
            places.reserveCapacity(channels.count)
            numbers = [Double](repeating: 0, count: 16)
            var firstTransform: [Int: Int] = [:]
            for (index, channel) in channels.enumerated() {
                let place = Self.place(of: channel, in: scene, numbersFrom: numbers.count)
                places.append(place)
                switch place {
                case .misfit:
                    misfits.append(index)
                case .numbers(let range):
                    numbers.append(contentsOf: repeatElement(0, count: range.count))
                    note(index, channel.target)
                case .transform(let member, in: let at, let width):
                    guard case .transform(let node, at: _, _) = channel.target else { continue }
                    let first = firstTransform[node.value] ?? add(node.value, scene.nodes[node.value].transforms)
                    firstTransform[node.value] = first
                    places[index] = .transform(member, in: first + at, width: width)
                }
            }
            transforms = rest
        }

        private mutating func note(_ channel: Int, _ target: AnimationTarget) {
            parameterChannels[target] = channel
            switch target {
            case .morphWeight(let controller, at: _): weightChannels[controller.value, default: []].append(channel)
            case .light(let light, _, _): lightChannels[light.value, default: []].append(channel)
            case .transform, .material, .camera: break
            }
        }

        private mutating func add(_ node: Int, _ list: [Transform]) -> Int {
            let first = rest.count
            rest.append(contentsOf: list)
            nodes.append(MovedNode(node: node, transforms: first..<rest.count))
            return first
        }

        private static func place(of channel: AnimationChannel, in scene: Scene, numbersFrom start: Int) -> Place {
            let width = channel.curve.width
            guard !channel.curve.times.isEmpty else { return .misfit }
            switch channel.target {
            case .transform(let node, let at, let member):
                guard scene.nodes.indices.contains(node.value), scene.nodes[node].transforms.indices.contains(at),
                    member.range(in: scene.nodes[node].transforms[at])?.count == width
                else { return .misfit }
                return .transform(member, in: at, width: width)
            case .morphWeight(let controller, let at):
                guard scene.controllers.indices.contains(controller.value), at == nil || width == 1 else {
                    return .misfit
                }
            case .material(let material, _, let member):
                guard scene.materials.indices.contains(material.value), fits(member, width) else { return .misfit }
            case .camera(let camera, _):
                guard scene.cameras.indices.contains(camera.value), width == 1 else { return .misfit }
            case .light(let light, let parameter, let member):
                // A colour's alpha, which lights do not have, is let pass.
                let most = parameter == .color ? 4 : 1
                guard scene.lights.indices.contains(light.value), fits(member, width), width <= most else {
                    return .misfit
                }
            }
            return .numbers(start..<start + width)
        }

        private static func fits(_ member: AnimationMember, _ width: Int) -> Bool { member == .whole || width == 1 }

        /// Moves everything to `time`, in seconds.
        ///
        /// - Complexity: channels × log keys, and the transforms of the nodes they move; allocates nothing.
        public mutating func move(to time: Double) {
            for index in rest.indices { transforms[index] = rest[index] }
            for (channel, place) in zip(channels, places) {
                switch place {
                case .misfit:
                    break
                case .numbers(let range):
                    channel.curve.value(at: time, into: &numbers, from: range.lowerBound)
                case .transform(let member, in: let at, let width):
                    // The first 16 numbers are for this: no transform has more.
                    channel.curve.value(at: time, into: &numbers)
                    if let moved = member.apply(numbers[0..<width], to: transforms[at]) { transforms[at] = moved }
                }
            }
            for moved in nodes {
                var matrix = Matrix4.identity
                for index in moved.transforms { matrix = matrix * (transforms[index].matrix ?? .identity) }
                locals[moved.node] = matrix
            }
        }

        /// The values of a channel that moves a weight or a parameter, at the time moved to; `nil` for any other.
        package func values(ofChannel index: Int) -> ArraySlice<Double>? {
            guard places.indices.contains(index) else { return nil }
            switch places[index] {
            case .numbers(let range): return numbers[range]
            case .misfit, .transform: return nil
            }
        }
    }
}

extension Scene {
    /// Of every morph, by its place: one weight a target.
    fileprivate var restWeights: [Int: [Double]] {
        var weights: [Int: [Double]] = [:]
        for (index, controller) in controllers.enumerated() {
            guard case .morph(let morph) = controller.kind else { continue }
            let missing = max(0, morph.targets.count - morph.weights.count)
            weights[index] = Array(morph.weights.prefix(morph.targets.count)) + [Double](repeating: 0, count: missing)
        }
        return weights
    }
}

// Weights, cameras and lights as they are at the time moved to.

extension PoseEvaluator {
    /// The weights of a morph's targets at the time moved to, those that no channel moves as the document has them.
    /// Empty for what is no morph.
    public func morphWeights(of controller: Dae.SceneIndex<Dae.Controller>) -> [Double] {
        guard var weights = restWeights[controller.value] else { return [] }
        for channel in weightChannels[controller.value] ?? [] {
            guard case .morphWeight(_, at: let place) = channels[channel].target,
                let values = values(ofChannel: channel)
            else { continue }
            for (index, value) in zip((place ?? 0)..., values) where index < weights.count { weights[index] = value }
        }
        return weights
    }

    /// The values of the last channel with a target that is no transform; `nil` when none moves it.
    package func values(of target: Dae.AnimationTarget) -> ArraySlice<Double>? {
        parameterChannels[target].flatMap { values(ofChannel: $0) }
    }

    /// A camera of the scene at the time moved to.
    public func camera(_ index: Dae.SceneIndex<Dae.Camera>, in scene: Dae.Scene) -> Dae.Camera {
        var camera = scene.cameras[index]
        for parameter in AnimationTarget.CameraParameter.allCases {
            if let value = values(of: .camera(index, parameter))?.first { camera.set(parameter, to: value) }
        }
        return camera
    }

    /// A light of the scene at the time moved to.
    public func light(_ index: Dae.SceneIndex<Dae.Light>, in scene: Dae.Scene) -> Dae.Light {
        var light = scene.lights[index]
        for channel in lightChannels[index.value] ?? [] {
            guard case .light(_, let parameter, let member) = channels[channel].target,
                let values = values(ofChannel: channel)
            else { continue }
            light.set(parameter, member, to: Array(values))
        }
        return light
    }
}

extension Camera {
    fileprivate mutating func set(_ parameter: AnimationTarget.CameraParameter, to value: Double) {
        switch (parameter, projection) {
        case (.xfov, .perspective(_, let y)): projection = .perspective(xfov: value, yfov: y)
        case (.yfov, .perspective(let x, _)): projection = .perspective(xfov: x, yfov: value)
        case (.xmag, .orthographic(_, let y)): projection = .orthographic(xmag: value, ymag: y)
        case (.ymag, .orthographic(let x, _)): projection = .orthographic(xmag: x, ymag: value)
        case (.znear, _): near = value
        case (.zfar, _): far = value
        case (.aspectRatio, _): aspectRatio = value
        case (.xfov, _), (.yfov, _), (.xmag, _), (.ymag, _): break
        }
    }
}

extension Light {
    fileprivate mutating func set(
        _ parameter: AnimationTarget.LightParameter, _ member: AnimationMember, to values: [Double]
    ) {
        if parameter == .color {
            var color = color ?? [1, 1, 1]
            guard let range = member.range(inVectorOf: 4) else { return }
            for (lane, value) in zip(range, values) where lane < 3 { color[lane] = value }
            self.color = color
            return
        }
        guard let value = values.first else { return }
        switch source {
        case .ambient, .directional, nil: break
        case .point(var attenuation):
            attenuation.set(parameter, to: value)
            source = .point(attenuation)
        case .spot(var attenuation, var falloff):
            attenuation.set(parameter, to: value)
            if parameter == .falloffAngle { falloff.angle = value }
            if parameter == .falloffExponent { falloff.exponent = value }
            source = .spot(attenuation, falloff)
        }
    }
}

extension Light.Attenuation {
    fileprivate mutating func set(_ parameter: AnimationTarget.LightParameter, to value: Double) {
        switch parameter {
        case .constantAttenuation: constant = value
        case .linearAttenuation: linear = value
        case .quadraticAttenuation: quadratic = value
        case .color, .falloffAngle, .falloffExponent: break
        }
    }
}

extension PoseEvaluator {
    /// Visits every place that a node has in the world, parents first, in the order of the document: a node that is
    /// instanced twice comes twice.
    ///
    /// - Parameters:
    ///   - scene: The scene that the evaluator was made of; its unfolded nodes must have been counted and found few
    ///     enough to walk (``SceneCensus``).
    ///   - visit: Gets a node and the matrix from it to the world.
    package func forEachPlacement(in scene: Dae.Scene, _ visit: (Dae.SceneIndex<Dae.Node>, Dae.Matrix4) -> Void) {
        walk(scene) { node, matrix in
            visit(node, matrix)
            return true
        }
    }

    /// From each node to the world, for its first place in the document's order; `nil` for nodes that the scene does
    /// not reach.
    ///
    /// - Complexity: O(nodes + edges), however often nodes are instanced.
    package func worlds(in scene: Dae.Scene) -> [Dae.Matrix4?] {
        var worlds = [Matrix4?](repeating: nil, count: locals.count)
        walk(scene) { node, matrix in
            // What hangs below a node seen before was seen then, too.
            guard worlds[node.value] == nil else { return false }
            worlds[node.value] = matrix
            return true
        }
        return worlds
    }

    /// - Parameter visit: Says whether to go on below the node.
    private func walk(_ scene: Scene, _ visit: (SceneIndex<Node>, Matrix4) -> Bool) {
        var stack = scene.roots.reversed().map { (node: $0, parent: Matrix4.identity) }
        while let (node, parent) = stack.popLast() {
            guard locals.indices.contains(node.value), scene.nodes.indices.contains(node.value) else { continue }
            let matrix = parent * locals[node.value]
            guard visit(node, matrix) else { continue }
            for child in scene.nodes[node].children.reversed() { stack.append((child, matrix)) }
        }
    }
}

extension Scene {
    /// The channels that a clip plays: those of its animations and of all within them, each animation once.
    public func channels(of clip: Dae.AnimationClip) -> [Dae.AnimationChannel] { channels(below: clip.animations) }

    /// The channels of every animation.
    public var channels: [Dae.AnimationChannel] { animations.flatMap(\.channels) }

    /// The channels of some animations and of all within them, each animation once, parents first.
    package func channels(below roots: [Dae.SceneIndex<Dae.Animation>]) -> [Dae.AnimationChannel] {
        animations(below: roots).flatMap { animations[$0].channels }
    }

    /// Some animations and all within them, each once, parents first.
    package func animations(below roots: [Dae.SceneIndex<Dae.Animation>]) -> [Dae.SceneIndex<Dae.Animation>] {
        var found: [SceneIndex<Animation>] = []
        var seen = Set<Int>()
        var stack = Array(roots.reversed())
        while let index = stack.popLast() {
            guard animations.indices.contains(index.value), seen.insert(index.value).inserted else { continue }
            found.append(index)
            stack += animations[index].children.reversed()
        }
        return found
    }
}

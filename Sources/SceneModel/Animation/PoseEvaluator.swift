/// A scene's nodes, and whatever else its channels move, at one time.
///
/// Holds a matrix a node; a step to another time computes anew only the nodes that a channel moves.
public struct PoseEvaluator: Sendable {
    /// From each node to the one around it, in the order of the scene's nodes.
    public private(set) var locals: [Matrix4]
    /// Channels whose target is not in the scene, has no such member, or takes another count of values than the curve
    /// gives; also those without keys. They move nothing.
    public private(set) var misfits: [Int] = []

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
        guard channel.curve.timeRange != nil else { return .misfit }
        switch channel.target {
        case .transform(let node, let at, let member):
            guard scene.nodes.indices.contains(node.value), scene.nodes[node].transforms.indices.contains(at),
                member.range(in: scene.nodes[node].transforms[at])?.count == width
            else { return .misfit }
            return .transform(member, in: at, width: width)
        case .morphWeight(let controller, let at):
            guard scene.controllers.indices.contains(controller.value), at == nil || width == 1 else { return .misfit }
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
    public func values(ofChannel index: Int) -> ArraySlice<Double>? {
        guard places.indices.contains(index) else { return nil }
        switch places[index] {
        case .numbers(let range): return numbers[range]
        case .misfit, .transform: return nil
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

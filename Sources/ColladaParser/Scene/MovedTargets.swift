import SceneModel

/// What channels that play together move: the same part twice, or a whole and a part of it, is moved twice.
struct MovedTargets {
    private var wholes: Set<AnimationTarget> = []
    /// Numbers of wholes, by their places.
    private var parts: Set<AnimationTarget> = []
    /// The wholes of ``parts``.
    private var partly: Set<AnimationTarget> = []

    /// - Returns: Whether nothing of it was moved before.
    mutating func insert(_ target: AnimationTarget, in scene: Scene) -> Bool {
        let whole = target.whole
        let part = target.normalized(in: scene)
        if part == whole { return wholes.insert(whole).inserted && !partly.contains(whole) }
        partly.insert(whole)
        return parts.insert(part).inserted && !wholes.contains(whole)
    }
}

extension AnimationTarget {
    fileprivate var whole: AnimationTarget {
        switch self {
        case .transform(let node, at: let place, _): .transform(node, at: place, .whole)
        case .morphWeight(let controller, at: _): .morphWeight(controller, at: nil)
        case .material(let material, let parameter, _): .material(material, parameter, .whole)
        case .camera: self
        case .light(let light, let parameter, _): .light(light, parameter, .whole)
        }
    }

    /// With a part by the place of its number, however the channel names it.
    fileprivate func normalized(in scene: Scene) -> AnimationTarget {
        switch self {
        case .transform(let node, at: let place, let member):
            let range = member.range(in: scene.nodes[node].transforms[place])
            return .transform(node, at: place, member.normalized(range))
        case .material(let material, let parameter, let member):
            return .material(material, parameter, member.normalized(member.range(inVectorOf: 4)))
        case .light(let light, let parameter, let member):
            return .light(light, parameter, member.normalized(member.range(inVectorOf: 4)))
        case .morphWeight, .camera: return self
        }
    }
}

extension AnimationMember {
    fileprivate func normalized(_ range: Range<Int>?) -> AnimationMember {
        switch self {
        case .whole: .whole
        case .named, .index, .cell: range.map { .index($0.lowerBound) } ?? self
        }
    }
}

extension AnimationChannel {
    /// How a channel is taken into another system: what it then moves, and what becomes of its numbers.
    package struct Conversion: Sendable {
        package let target: AnimationTarget
        package let map: ComponentMap
    }

    /// What has to become of the channel; `nil` where its numbers mean the same in both systems, and where the curve
    /// does not fit its target.
    ///
    /// - Parameters:
    ///   - change: From the system that the curve is written in to that of the target.
    ///   - scene: Has the target's nodes, with transforms as written.
    package func conversion(by change: SystemChange, in scene: Scene) -> Conversion? {
        guard !change.isIdentity else { return nil }
        var target = target
        let map: ComponentMap
        switch target {
        case .transform(let node, let at, let member):
            guard scene.nodes.indices.contains(node.value), scene.nodes[node].transforms.indices.contains(at) else {
                return nil
            }
            let transform = scene.nodes[node].transforms[at]
            let whole = ComponentMap(for: transform, by: change)
            guard let range = member.range(in: transform), range.count == curve.width else { return nil }
            if range.count == whole.places.count {
                map = whole
            } else {
                let place = range.lowerBound
                map = whole.only(place)
                target = .transform(
                    node, at: at, member.moved(by: whole.places[place] - place, to: whole.places[place]))
            }
        case .camera(_, let parameter): map = ComponentMap(Quantity(parameter), by: change)
        case .light(_, let parameter, _): map = ComponentMap(Quantity(parameter), by: change)
        case .morphWeight, .material: return nil
        }
        guard map.places.count == curve.width, !map.isIdentity || target != self.target else { return nil }
        return Conversion(target: target, map: map)
    }
}

extension AnimationCurve {
    /// Numbers it holds for its values and tangents.
    package var numberCount: Int {
        archivedNumbers + values.count + (incoming?.numbers.count ?? 0) + (outgoing?.numbers.count ?? 0)
    }
}

extension AnimationMember {
    /// The member so many numbers further on, which is at `place` among those of a transform.
    fileprivate func moved(by distance: Int, to place: Int) -> AnimationMember {
        guard distance != 0 else { return self }
        switch self {
        case .whole: return self
        case .index: return .index(place)
        case .cell: return .cell(column: place % 4, row: place / 4)
        case .named(let name): return .named(name.moved(by: distance))
        }
    }
}

extension AnimationMember.Name {
    /// Of the axes; all others stay.
    fileprivate func moved(by distance: Int) -> Self {
        let axes: [Self] = [.x, .y, .z]
        guard let place = axes.firstIndex(of: self), axes.indices.contains(place + distance) else { return self }
        return axes[place + distance]
    }
}

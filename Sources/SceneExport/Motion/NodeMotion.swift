import SceneModel

/// One node and the channels that move it: its matrix at any time.
struct NodeMotion {
    private let transforms: [Transform]
    private let channels: [Channel]
    /// Times of all keys, ascending, each once.
    let times: [Double]
    /// Used again for each time.
    private var moved: [Transform]
    private var values = [Double](repeating: 0, count: 16)

    private struct Channel {
        let place: Int
        let member: AnimationMember
        let curve: AnimationCurve
    }

    /// - Parameter channels: Those that fit the node; a later one wins over an earlier one of the same numbers.
    init?(_ node: Node, _ channels: [AnimationChannel]) {
        transforms = node.transforms
        moved = node.transforms
        self.channels = channels.compactMap { channel in
            guard case .transform(_, let place, let member) = channel.target, node.transforms.indices.contains(place),
                member.range(in: node.transforms[place])?.count == channel.curve.width, !channel.curve.times.isEmpty
            else { return nil }
            return Channel(place: place, member: member, curve: channel.curve)
        }
        guard !self.channels.isEmpty else { return nil }
        times = Array(Set(self.channels.flatMap(\.curve.times))).sorted()
    }

    mutating func matrix(at time: Double) -> Matrix4 {
        for place in transforms.indices { moved[place] = transforms[place] }
        for channel in channels {
            channel.curve.value(at: time, into: &values)
            if let transform = channel.member.apply(values[0..<channel.curve.width], to: moved[channel.place]) {
                moved[channel.place] = transform
            }
        }
        return moved.matrix
    }

    /// Whether whole matrices are all that moves: every engine turns from one to the next, and so did their authors'.
    var isOfMatrices: Bool {
        channels.allSatisfy { channel in
            switch (channel.member, transforms[channel.place]) {
            case (.whole, .matrix): true
            case (.whole, _), (.named, _), (.index, _), (.cell, _): false
            }
        }
    }

    /// Whether nothing changes between keys.
    var isStepwise: Bool { channels.allSatisfy(\.curve.isStepwise) }

    /// The most degrees that a rotation turns from one time to another, by its own numbers.
    func turn(from start: Double, to end: Double) -> Double {
        var most = 0.0
        for channel in channels {
            guard case .rotate = transforms[channel.place] else { continue }
            // An angle is the last of a rotation's numbers, and the only one of a channel of its own.
            let (first, last) = (channel.curve.value(at: start), channel.curve.value(at: end))
            if let first = first.last, let last = last.last, (last - first).isFinite {
                most = max(most, abs(last - first))
            }
        }
        return most
    }
}

extension AnimationCurve {
    /// Whether it holds each key's value until the next.
    var isStepwise: Bool {
        switch interpolations {
        case .all(let one): one == .step
        case .each(let list): list.allSatisfy { $0 == .step }
        }
    }
}

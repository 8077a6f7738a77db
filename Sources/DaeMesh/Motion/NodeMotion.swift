import DaeScene

/// One node and the channels that move it: its matrix at any time.
struct NodeMotion {
    let transforms: [Transform]
    let channels: [Channel]
    /// Times of all keys, ascending, each once.
    let times: [Double]
    /// Used again for each time.
    private var moved: [Transform]
    private var values = [Double](repeating: 0, count: 16)

    struct Channel {
        /// Into the transforms.
        var place: Int
        let member: AnimationMember
        let curve: AnimationCurve
    }

    /// - Parameters:
    ///   - channels: A later one wins over an earlier one of the same numbers.
    ///   - origin: A place that is taken for the origin of where the node stands in.
    /// - Returns: `nil` without channels.
    init?(transforms: [Transform], _ channels: [Channel], about origin: SIMD3<Double>? = nil) {
        guard !channels.isEmpty else { return nil }
        self.transforms = (origin.map { [.translate(-$0)] } ?? []) + transforms
        self.channels =
            origin == nil
            ? channels
            : channels.map { Channel(place: $0.place + 1, member: $0.member, curve: $0.curve) }
        moved = self.transforms
        times =
            channels.count == 1
            ? Self.distinct(channels[0].curve.times.array) : Array(Set(channels.flatMap(\.curve.times))).sorted()
    }

    /// A curve's times never decrease.
    private static func distinct(_ times: [Double]) -> [Double] {
        let isDistinct = times.indices.dropLast().allSatisfy { times[$0] < times[$0 + 1] }
        return isDistinct ? times : Array(Set(times)).sorted()
    }

    /// The only channel, where it is straight from matrix to matrix and nothing stands beside it.
    var baked: AnimationCurve? {
        guard transforms.count == 1, channels.count == 1, case .matrix = transforms[0], channels[0].member == .whole,
            case .all(.linear) = channels[0].curve.interpolations, channels[0].curve.times.elementsEqual(times)
        else { return nil }
        return channels[0].curve
    }

    /// What one look at it costs.
    var cost: Int { transforms.count + channels.count }

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

    /// Whether two channels move one number.
    var hasOverlaps: Bool {
        // Each transform has few numbers, and a node may have very many channels.
        var moved: [Int: Set<Int>] = [:]
        for channel in channels {
            guard let range = channel.member.range(in: transforms[channel.place]) else { continue }
            for number in range where !moved[channel.place, default: []].insert(number).inserted { return true }
        }
        return false
    }

    /// The angle of a rotation about an axis that stays, where it is all that moves.
    var onlyAngle: (number: CurveNumber, place: Int, axis: SIMD3<Double>)? {
        guard channels.count == 1, case .rotate(var axis, degrees: _) = transforms[channels[0].place] else {
            return nil
        }
        let channel = channels[0]
        switch channel.member {
        case .named(.angle): return (CurveNumber(curve: channel.curve, component: 0), channel.place, axis)
        case .whole:
            for lane in 0..<3 {
                guard let part = CurveNumber(curve: channel.curve, component: lane).constant else { return nil }
                axis[lane] = part
            }
            return (CurveNumber(curve: channel.curve, component: 3), channel.place, axis)
        case .named, .index, .cell: return nil
        }
    }

    /// Whether nothing changes between keys.
    var isStepwise: Bool { channels.allSatisfy(\.curve.isStepwise) }

    /// With times between those where a rotation turns further than halfway round.
    ///
    /// - Parameter mayAdd: Whether so many more are allowed; without the rest once it says no.
    func times(splittingTurns times: [Double], _ mayAdd: (Int) -> Bool) -> [Double] {
        guard let first = times.first else { return [] }
        var result = [first]
        for (start, end) in zip(times, times.dropFirst()) {
            let shares = Self.shares(ofTurn: turn(from: start, to: end))
            guard mayAdd(shares.count + 1) else { return result }
            for share in shares { result.append(start + (end - start) * share) }
            result.append(end)
        }
        return result
    }

    /// Degrees between two keys that are certainly turned the right way round.
    private static let turnLimit = 120.0
    /// Keys that turns may add to one segment.
    private static let turnKeyLimit = 4096

    /// The inner ends of the equal shares into which a turn is cut that is wider than what engines turn the right way round.
    static func shares(ofTurn degrees: Double) -> [Double] {
        let pieces = min(Double(turnKeyLimit), (degrees / turnLimit).rounded(.up))
        guard pieces > 1 else { return [] }
        return (1..<Int(pieces)).map { Double($0) / pieces }
    }

    /// The most degrees that a rotation turns from one time to another, by its own numbers.
    private func turn(from start: Double, to end: Double) -> Double {
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

extension NodeMotion.Channel {
    /// - Returns: `nil` for a channel that does not fit the node.
    init?(_ channel: AnimationChannel, of node: Node) {
        guard case .transform(_, let place, let member) = channel.target,
            Self.numbers(of: channel, in: node) != nil
        else { return nil }
        self.init(place: place, member: member, curve: channel.curve)
    }

    /// The numbers of its transform that a channel moves, loaded or not; `nil` for one that does not fit the node.
    static func numbers(of channel: AnimationChannel, in node: Node) -> Range<Int>? {
        guard case .transform(_, let place, let member) = channel.target, node.transforms.indices.contains(place),
            let range = member.range(in: node.transforms[place]), range.count == channel.curve.width,
            !channel.curve.times.isEmpty
        else { return nil }
        return range
    }

    /// What a channel does to the last row of a matrix, which is 0 0 0 1 wherever a node can be.
    enum LastRow {
        /// Nothing is lost of what it moves besides.
        case kept
        /// It moves that row too, which nothing plays.
        case partlyLost
        /// It moves nothing else.
        case lost
        /// It moves nothing else, and says what the row is anyway.
        case idle
    }

    func lastRow(of transforms: [Transform]) -> LastRow {
        guard case .matrix = transforms[place], let range = member.range(in: transforms[place]) else { return .kept }
        let isSaid = range.clamped(to: 12..<16).allSatisfy { number in
            let said: Double = number == 15 ? 1 : 0
            return curve.times.indices.allSatisfy { curve.value(ofKey: $0, number - range.lowerBound) == said }
        }
        if range.lowerBound >= 12 { return isSaid ? .idle : .lost }
        return isSaid ? .kept : .partlyLost
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

// Most nodes are a translation, then rotations, then a scale. Where nothing that turns comes before what shifts, each of
// them can be followed on its own, by the numbers that the document has.

import DaeScene

/// The motion of a node whose translation does not depend on what turns and scales it.
struct SeparateMotion {
    /// Nothing in it where it stands still.
    let translation: VectorMotion
    /// What turns, and scales where ``scale`` is `nil`, with no translation; `nil` where nothing of it moves.
    private(set) var turning: NodeMotion?
    /// The last transform, where it alone scales and moves; `nil` where ``turning`` has it.
    private(set) var scale: VectorMotion?
    /// Rotation and scale with what never changes put in, and everything else at rest.
    private(set) var still: RigidScale

    /// `nil` for a motion that does not come apart.
    init?(_ motion: NodeMotion) {
        guard !motion.hasOverlaps else { return nil }
        var transforms = motion.transforms
        var moving: [NodeMotion.Channel] = []
        for channel in motion.channels {
            if let folded = Self.folded(channel, into: transforms[channel.place]) {
                transforms[channel.place] = folded
            } else {
                moving.append(channel)
            }
        }
        still = RigidScale(nearest: transforms.matrix)
        let isTurning = { (channel: NodeMotion.Channel) in
            switch transforms[channel.place] {
            case .translate: false
            case .matrix, .rotate, .scale, .skew, .lookat: true
            }
        }
        let firstTurning = moving.filter(isTurning).map(\.place).min() ?? transforms.count
        guard moving.allSatisfy({ isTurning($0) ? !Self.shifts($0, transforms) : $0.place < firstTurning }),
            transforms[firstTurning...].allSatisfy(\.hasNoTranslation)
        else { return nil }
        var before = Matrix4.identity
        translation = Self.translation(
            transforms[..<firstTurning], moving.filter { !isTurning($0) }, through: &before)
        let turns = moving.filter(isTurning)
        guard !turns.isEmpty else { return }
        setTurning(before, transforms, from: firstTurning, turns)
    }

    /// Whether a channel moves a matrix or a lookat from its place, wherever that stands at rest.
    private static func shifts(_ channel: NodeMotion.Channel, _ transforms: [Transform]) -> Bool {
        let transform = transforms[channel.place]
        let places: [Int]
        switch transform {
        case .matrix: places = [3, 7, 11]
        case .lookat: places = [0, 1, 2]
        case .translate, .rotate, .scale, .skew: return false
        }
        guard let range = channel.member.range(in: transform) else { return false }
        return places.contains { place in
            range.contains(place)
                && CurveNumber(curve: channel.curve, component: place - range.lowerBound).constant != 0
        }
    }

    /// The transform with a channel's numbers, where they never change.
    private static func folded(_ channel: NodeMotion.Channel, into transform: Transform) -> Transform? {
        var values: [Double] = []
        for component in 0..<channel.curve.width {
            guard let constant = CurveNumber(curve: channel.curve, component: component).constant else { return nil }
            values.append(constant)
        }
        return channel.member.apply(values[...], to: transform)
    }

    /// - Parameter before: Becomes what the transforms do to directions.
    private static func translation(
        _ transforms: ArraySlice<Transform>, _ moving: [NodeMotion.Channel], through before: inout Matrix4
    ) -> VectorMotion {
        var motion = VectorMotion(origin: .zero)
        for (place, transform) in zip(transforms.indices, transforms) {
            var matrix = transform.matrix ?? .identity
            var numbers = [CurveNumber?](repeating: nil, count: 3)
            for channel in moving where channel.place == place {
                for (component, axis) in (channel.member.range(in: transform) ?? 0..<0).enumerated() {
                    numbers[axis] = CurveNumber(curve: channel.curve, component: component)
                }
            }
            for (axis, number) in numbers.enumerated() {
                guard let number else { continue }
                motion.add(number, along: before[column: axis].spatial)
                matrix.columns.3[axis] = 0
            }
            motion.origin += before.transform(point: matrix.columns.3.spatial)
            before = before * matrix.withoutTranslation
        }
        return motion
    }

    private mutating func setTurning(
        _ before: Matrix4, _ transforms: [Transform], from first: Int, _ channels: [NodeMotion.Channel]
    ) {
        var rest = Array(transforms[first...])
        var turns = channels
        if let last = transforms.indices.last, before.isRotation, case .scale(let factors) = transforms[last],
            rest.dropLast().allSatisfy(\.isRotation)
        {
            scale = Self.scale(factors, channels.filter { $0.place == last })
            turns.removeAll { $0.place == last }
            rest.removeLast()
            still.rotation = RigidScale(nearest: before * rest.matrix).rotation
        }
        for place in turns.indices { turns[place].place += 1 - first }
        turning = NodeMotion(transforms: [.matrix(before)] + rest, turns)
    }

    private static func scale(_ factors: SIMD3<Double>, _ channels: [NodeMotion.Channel]) -> VectorMotion {
        var numbers = [CurveNumber?](repeating: nil, count: 3)
        for channel in channels {
            for (component, axis) in (channel.member.range(in: .scale(factors)) ?? 0..<0).enumerated() {
                numbers[axis] = CurveNumber(curve: channel.curve, component: component)
            }
        }
        var motion = VectorMotion(origin: factors)
        for (axis, number) in numbers.enumerated() {
            guard let number else { continue }
            var direction = SIMD3<Double>.zero
            direction[axis] = 1
            motion.origin[axis] = 0
            motion.add(number, along: direction)
        }
        return motion
    }
}

extension Transform {
    fileprivate var hasNoTranslation: Bool { matrix.map { $0.columns.3.spatial == .zero } ?? true }

    fileprivate var isRotation: Bool {
        switch self {
        case .rotate: true
        case .matrix, .translate, .scale, .skew, .lookat: false
        }
    }
}

extension Matrix4 {
    /// Whether it turns and does nothing else.
    fileprivate var isRotation: Bool {
        guard let parts = RigidScale(self) else { return false }
        return (parts.scale - .one).size < 1e-9
    }

    fileprivate subscript(column index: Int) -> SIMD4<Double> {
        switch index {
        case 0: columns.0
        case 1: columns.1
        default: columns.2
        }
    }
}

/// A point that curves move along straight directions.
struct VectorMotion {
    /// Where it stands with all numbers at 0.
    var origin: SIMD3<Double>
    private(set) var numbers: [CurveNumber] = []
    private(set) var directions: [SIMD3<Double>] = []

    init(origin: SIMD3<Double>) {
        self.origin = origin
    }

    /// The length of the longest vector that keys can make; above 0.
    var reach: Double {
        var reach = origin.size
        for (number, direction) in zip(numbers, directions) {
            let most = number.curve.times.indices.reduce(0) {
                max($0, abs(number.curve.value(ofKey: $1, number.component)))
            }
            reach = max(reach, most * direction.size)
        }
        return reach > 0 && reach.isFinite ? reach : 1
    }

    mutating func add(_ number: CurveNumber, along direction: SIMD3<Double>) {
        numbers.append(number)
        directions.append(direction)
    }

    /// - Parameter tolerance: How far the point may be off between keys.
    func keys(in span: TrackSpan, tolerance: Double) -> CurveKeys? {
        let share = tolerance / Double(max(1, numbers.count)).squareRoot()
        return CurveKeys(
            numbers, in: span,
            tolerances: directions.map { $0.size > 0 ? share / $0.size : .infinity })
    }

    /// How far the point is off at most, where each number is as far off as it can be.
    func deviation(of keys: CurveKeys) -> Double {
        zip(directions, keys.deviations).reduce(0) { $0 + $1.0.size * $1.1 }
    }

    /// The points of a key's row, or how they move; `isPlace` says which.
    func vector(_ row: ArraySlice<Double>, isPlace: Bool) -> SIMD3<Double> {
        var vector = isPlace ? origin : .zero
        for (direction, number) in zip(directions, row) { vector += direction * number }
        return vector
    }
}

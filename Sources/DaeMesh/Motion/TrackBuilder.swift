import DaeScene

/// Makes tracks of what moves a node, or the weights of a morph.
struct TrackBuilder {
    let span: TrackSpan
    /// The scene's size in the document's units, above 0.
    let size: Double

    /// The share of the scene's size that a point may be off.
    static let tolerance = 2e-5
    /// Of a rotation, in degrees: what moves the end of a line by as large a share of its length.
    private static let angleTolerance = tolerance * 180 / .pi
    /// Of a morph's weight.
    private static let weightTolerance = 1e-4

    /// - Parameter rest: How the node stands where nothing moves it.
    func tracks(
        of motion: NodeMotion, rest: RigidScale, _ report: inout FidelityReport, at place: String?
    ) -> [PreparedTrack] {
        let tracks = followed(motion, rest, &report, place)
        for track in tracks where track.path == .translation {
            let lost = track.values.reduce(0) { max($0, abs(Double($1))) } * SIMD3<Double>.lostShare / size
            if lost > Self.tolerance { report.add(.approximated, .farMotion, at: place, deviation: lost) }
        }
        return tracks
    }

    private func followed(
        _ motion: NodeMotion, _ rest: RigidScale, _ report: inout FidelityReport, _ place: String?
    ) -> [PreparedTrack] {
        var motion = motion
        guard span.budget.evaluate(motion.times.count, cost: motion.cost) else { return [] }
        if motion.isStepwise {
            var keys = PartKeys(.step, count: motion.times.count)
            for time in times(motion.times) {
                let matrix = motion.matrix(at: time)
                let parts = RigidScale(nearest: matrix)
                keys.note(shear: matrix.distance(to: parts.matrix, size: size))
                keys.add(parts, at: Float(time - span.offset))
            }
            note(keys, &report, place)
            return keys.tracks(unless: rest)
        }
        if motion.isOfMatrices { return tracks(ofMatrices: &motion, rest, &report, place) }
        if let separate = SeparateMotion(motion) {
            let before = report
            if let tracks = tracks(of: separate, rest, &report, place) { return tracks }
            report = before
        }
        return sampled(motion, rest, &report, place).tracks(unless: rest)
    }

    // MARK: - Sampling

    /// Of a motion as a whole, whatever it consists of.
    private func sampled(
        _ motion: NodeMotion, _ rest: RigidScale, _ report: inout FidelityReport, _ place: String?
    ) -> PartKeys {
        var motion = motion
        let size = size
        let (budget, cost) = (span.budget, motion.cost)
        let mayEvaluate = { budget.evaluate($0, cost: cost) }
        let sought = motion.times(splittingTurns: times(motion.times), mayEvaluate)
        var sampler = KeySampler<(matrix: Matrix4, parts: RigidScale)>(
            tolerance: Self.tolerance, leastSpan: span.leastSpan, mayEvaluate: mayEvaluate,
            value: {
                let matrix = motion.matrix(at: $0)
                return (matrix, RigidScale(nearest: matrix))
            },
            distance: { $0.matrix.distance(to: $1.parts.matrix, size: size) },
            between: {
                let parts = $0.parts.toward($1.parts, by: $2)
                return (parts.matrix, parts)
            })
        let found = sampler.keys(at: sought)
        var keys = PartKeys(.linear, count: found.count)
        for key in found {
            keys.add(key.value.parts, at: Float(key.time - span.offset))
            keys.note(shear: key.value.matrix.distance(to: key.value.parts.matrix, size: size))
        }
        note(keys, &report, place)
        if sampler.isSampled { report.add(.sampled, .curves, at: place, deviation: sampler.deviation) }
        return keys
    }

    private func note(_ keys: PartKeys, _ report: inout FidelityReport, _ place: String?) {
        if keys.shear > Self.tolerance { report.add(.approximated, .shear, at: place) }
    }

    /// The keys within the range, and its ends.
    private func times(_ keys: [Double]) -> [Double] {
        let range = span.range
        if keys.first == range.lowerBound, keys.last == range.upperBound { return keys }
        var times = [range.lowerBound] + keys.filter { $0 > range.lowerBound && $0 < range.upperBound }
        if range.upperBound > range.lowerBound { times.append(range.upperBound) }
        return times
    }

    // MARK: - Matrices

    /// The keys as they are: whole matrices are what tools bake, frame by frame, and between two of them every engine
    /// turns. How far that leads from the straight way that the document's words mean is reported.
    private func tracks(
        ofMatrices motion: inout NodeMotion, _ rest: RigidScale, _ report: inout FidelityReport, _ place: String?
    ) -> [PreparedTrack] {
        let times = times(motion.times)
        var keys = PartKeys(.linear, count: times.count)
        var last: (time: Double, matrix: Matrix4, parts: RigidScale)?
        var deviation = 0.0
        let baked = motion.baked.flatMap { $0.times.elementsEqual(times) ? $0 : nil }
        for (index, time) in times.enumerated() {
            let matrix = baked.map { Matrix4(rows: $0.values, from: index * 16) } ?? motion.matrix(at: time)
            let parts = RigidScale(nearest: matrix)
            keys.note(shear: matrix.distance(to: parts.matrix, size: size))
            if let last {
                let middle =
                    baked == nil ? motion.matrix(at: (last.time + time) / 2) : last.matrix.halfway(to: matrix)
                deviation = max(deviation, middle.distance(to: last.parts.halfway(to: parts).matrix, size: size))
            }
            last = (time, matrix, parts)
            keys.add(parts, at: Float(time - span.offset))
        }
        note(keys, &report, place)
        if deviation > Self.tolerance, deviation.isFinite {
            report.add(.approximated, .matrixKeys, at: place, deviation: deviation)
        }
        return keys.tracks(unless: rest)
    }

    // MARK: - Parts

    /// `nil` where a curve has no shape that can be followed.
    private func tracks(
        of motion: SeparateMotion, _ rest: RigidScale, _ report: inout FidelityReport, _ place: String?
    ) -> [PreparedTrack]? {
        let still = motion.still
        guard
            let translation = track(
                .translation, motion.translation, rest.translation, Self.tolerance * size, &report, place)
        else { return nil }
        var tracks = translation
        // What stands still is said where it stands otherwise than the node.
        var held = PartKeys(.linear, count: 1)
        held.add(still, at: span.ends.first)
        let heldTracks = held.tracks(unless: rest)
        if let turning = motion.turning {
            let turned = turned(turning, rest, &report, place)
            tracks += turned.tracks(unless: rest).filter { track in
                track.path == .rotation || track.path == .scale && motion.scale == nil
            }
        } else {
            tracks += heldTracks.filter { $0.path == .rotation || $0.path == .scale && motion.scale == nil }
        }
        if let scale = motion.scale {
            // As a share of the greatest that there is, as lengths are compared.
            guard let track = track(.scale, scale, rest.scale, Self.tolerance * scale.reach, &report, place) else {
                return nil
            }
            tracks += track
        }
        return tracks
    }

    /// None where it says what `rest` does; `nil` where a curve cannot be followed.
    private func track(
        _ path: PreparedTrack.Path, _ motion: VectorMotion, _ rest: SIMD3<Double>, _ tolerance: Double,
        _ report: inout FidelityReport, _ place: String?
    ) -> [PreparedTrack]? {
        guard let keys = motion.keys(in: span, tolerance: tolerance) else { return nil }
        var track = PreparedTrack(path, keys.interpolation, width: 3, keys: keys.times.count)
        let (count, width) = (keys.interpolation.valuesOfKey, motion.numbers.count)
        var start = 0
        for time in keys.times {
            track.beginKey(at: time)
            for part in 0..<count {
                track.append(motion.vector(keys.rows[start..<start + width], isPlace: count == 1 || part == 1))
                start += width
            }
        }
        if keys.isSampled {
            let unit = path == .translation ? size : motion.reach
            report.add(.sampled, .curves, at: place, deviation: motion.deviation(of: keys) / unit)
        }
        return track.settled(unless: SIMD4(rest, 0)).map { [$0] } ?? []
    }

    /// Of rotations and what follows them.
    private func turned(
        _ motion: NodeMotion, _ rest: RigidScale, _ report: inout FidelityReport, _ place: String?
    ) -> PartKeys {
        // About one axis a straight way between two angles is what engines turn.
        guard let only = motion.onlyAngle,
            let keys = CurveKeys([only.number], in: span, tolerances: [Self.angleTolerance], mayCurve: false)
        else { return sampled(motion, rest, &report, place) }
        var parts = PartKeys(.linear, count: keys.times.count)
        var transforms = motion.transforms
        func add(_ degrees: Double, _ time: Float) {
            transforms[only.place] = .rotate(axis: only.axis, degrees: degrees)
            parts.add(RigidScale(nearest: transforms.matrix), at: time)
        }
        for (index, time) in keys.times.enumerated() {
            if index > 0 {
                let (start, rise) = (keys.rows[index - 1], keys.rows[index] - keys.rows[index - 1])
                let begin = keys.times[index - 1]
                let shares = NodeMotion.shares(ofTurn: abs(rise))
                guard span.budget.evaluate(shares.count + 1) else { break }
                for share in shares {
                    add(start + rise * share, begin + (time - begin) * Float(share))
                }
            }
            add(keys.rows[index], time)
        }
        let matrix = transforms.matrix
        parts.note(shear: matrix.distance(to: RigidScale(nearest: matrix).matrix, size: size))
        note(parts, &report, place)
        if keys.isSampled {
            let degrees = keys.deviations.max() ?? 0
            report.add(.sampled, .curves, at: place, deviation: degrees * .pi / 180)
        }
        return parts
    }

    // MARK: - Weights

    /// Of a morph's weights, one a target.
    ///
    /// - Parameters:
    ///   - rest: Of those that nothing moves.
    ///   - numbers: By target.
    ///   - times: Of all their keys.
    func track(
        ofWeights rest: [Double], _ numbers: [Int: CurveNumber], times: [Double], _ report: inout FidelityReport,
        at place: String?
    ) -> PreparedTrack? {
        guard !rest.isEmpty, !numbers.isEmpty, span.budget.evaluate(times.count, cost: rest.count) else { return nil }
        let moving = numbers.keys.sorted()
        let curves = moving.compactMap { numbers[$0] }
        if curves.allSatisfy(\.curve.isStepwise) {
            var track = PreparedTrack(.weights, .step, width: rest.count)
            for time in self.times(times) {
                let values = curves.map { $0.curve.value(at: time)[$0.component] }
                add(values[...], moving, rest, to: &track, at: Float(time - span.offset))
            }
            return track.settled()
        }
        let tolerances = [Double](repeating: Self.weightTolerance, count: curves.count)
        guard let keys = CurveKeys(curves, in: span, tolerances: tolerances) else {
            return sampled(rest, moving, curves, times, &report, place)
        }
        guard span.budget.evaluate(keys.times.count, cost: rest.count) else { return nil }
        var track = PreparedTrack(.weights, keys.interpolation, width: rest.count, keys: keys.times.count)
        let slopes = [Double](repeating: 0, count: rest.count)
        let count = keys.interpolation.valuesOfKey
        for (index, time) in keys.times.enumerated() {
            track.beginKey(at: time)
            for part in 0..<count {
                let start = (index * count + part) * curves.count
                var values = count == 1 || part == 1 ? rest : slopes
                for (place, target) in moving.enumerated() { values[target] = keys.rows[start + place] }
                for value in values { track.append(value) }
            }
        }
        if keys.isSampled { report.add(.sampled, .curves, at: place, deviation: keys.deviations.max()) }
        return track.settled()
    }

    private func sampled(
        _ rest: [Double], _ moving: [Int], _ curves: [CurveNumber], _ times: [Double], _ report: inout FidelityReport,
        _ place: String?
    ) -> PreparedTrack? {
        track(
            values: { time in curves.map { $0.curve.value(at: time)[$0.component] } }, times: times, &report, at: place,
            weights: { values in
                var all = rest
                for (target, value) in zip(moving, values) { all[target] = value }
                return all
            }, count: rest.count)
    }

    /// - Parameters:
    ///   - values: Of what moves, at a time.
    ///   - weights: All weights, of such values.
    ///   - count: Of all weights.
    func track(
        values: @escaping (Double) -> [Double], times: [Double], _ report: inout FidelityReport, at place: String?,
        weights: ([Double]) -> [Double], count: Int
    ) -> PreparedTrack? {
        let budget = span.budget
        var sampler = KeySampler<[Double]>(
            tolerance: Self.weightTolerance, leastSpan: span.leastSpan,
            mayEvaluate: { budget.evaluate($0, cost: 2 * count) }, value: values,
            distance: { zip($0, $1).reduce(0) { max($0, abs($1.0 - $1.1)) } },
            between: { start, end, share in zip(start, end).map { $0 + ($1 - $0) * share } })
        let keys = sampler.keys(at: self.times(times))
        if sampler.isSampled { report.add(.sampled, .curves, at: place, deviation: sampler.deviation) }
        var track = PreparedTrack(.weights, .linear, width: count, keys: keys.count)
        for key in keys {
            track.beginKey(at: Float(key.time - span.offset))
            for value in weights(key.value) { track.append(value) }
        }
        return track.settled()
    }

    private func add(
        _ values: ArraySlice<Double>, _ moving: [Int], _ rest: [Double], to track: inout PreparedTrack, at time: Float
    ) {
        var all = rest
        for (target, value) in zip(moving, values) { all[target] = value }
        track.beginKey(at: time)
        for value in all { track.append(value) }
    }
}

/// When an animation is played, how densely curves are followed, and how much work that may be.
struct TrackSpan {
    /// In the document's seconds.
    let range: ClosedRange<Double>
    /// Taken from every time, so that the animation begins at 0.
    let offset: Double
    /// Seconds between two keys that are added at least; 0 for as many as the tolerance needs.
    var leastSpan = 0.0
    /// Once it was hit, what is made is not written any more: whoever makes it may stop where it suits.
    var budget = ConversionBudget()
    /// Halvings of the way between two of the document's keys.
    static let depthLimit = 10
    /// Keys that are added to one curve at most; what is beyond keeps the document's own.
    static let keyLimit = 1 << 20
    /// Those that the format has.
    var curves = ExportConventions.Curves.cubic

    /// The first and the last moment, as they are written.
    var ends: (first: Float, last: Float) { (Float(range.lowerBound - offset), Float(range.upperBound - offset)) }
}

extension Matrix4 {
    /// How far apart two matrices move points: those of their origins as a share of `size`, and directions as a share of
    /// their length.
    fileprivate func distance(to other: Matrix4, size: Double) -> Double {
        let origin = (columns.3.spatial - other.columns.3.spatial).size / size
        let lengths = max(columns.0.spatial.size, columns.1.spatial.size, columns.2.spatial.size)
        guard lengths > 0 else { return origin }
        let axes = max(
            (columns.0.spatial - other.columns.0.spatial).size, (columns.1.spatial - other.columns.1.spatial).size,
            (columns.2.spatial - other.columns.2.spatial).size)
        return max(origin, axes / lengths)
    }

    fileprivate func halfway(to other: Matrix4) -> Matrix4 {
        Matrix4(
            columns: (
                (columns.0 + other.columns.0) / 2, (columns.1 + other.columns.1) / 2,
                (columns.2 + other.columns.2) / 2, (columns.3 + other.columns.3) / 2
            ))
    }

    /// - Parameter rows: Of which the 16 from `start` on are its rows, one after the other.
    fileprivate init(rows: NumberArray<Double>, from start: Int) {
        func column(_ index: Int) -> SIMD4<Double> {
            SIMD4(
                rows[start + index], rows[start + 4 + index], rows[start + 8 + index], rows[start + 12 + index])
        }
        self.init(columns: (column(0), column(1), column(2), column(3)))
    }
}

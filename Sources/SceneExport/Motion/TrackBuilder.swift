import SceneModel

/// Makes tracks of what moves a node, or the weights of a morph.
struct TrackBuilder {
    /// When the animation is played, in the document's seconds.
    let range: ClosedRange<Double>
    /// Taken from every time, so that the animation begins at 0.
    let offset: Double
    /// The scene's size in the document's units, above 0.
    let size: Double

    /// The share of the scene's size that a point may be off.
    static let tolerance = 2e-5
    /// Degrees between two keys that are certainly turned the right way round.
    private static let turnLimit = 120.0
    /// Keys that turns may add to one segment.
    private static let turnKeyLimit = 4096

    /// - Parameter rest: How the node stands where nothing moves it.
    func tracks(
        of motion: NodeMotion, rest: RigidScale, _ report: inout FidelityReport, at place: String?
    ) -> [ExportTrack] {
        var motion = motion
        let times = times(motion.times)
        if motion.isStepwise {
            return tracks(of: times.map { ($0, RigidScale(nearest: motion.matrix(at: $0))) }, .step, rest)
        }
        if motion.isOfMatrices { return tracks(ofMatrices: &motion, times, rest, &report, place) }
        let size = size
        var sampler = KeySampler<(matrix: Matrix4, parts: RigidScale)>(
            tolerance: Self.tolerance,
            value: {
                let matrix = motion.matrix(at: $0)
                return (matrix, RigidScale(nearest: matrix))
            },
            distance: { $0.matrix.distance(to: $1.parts.matrix, size: size) },
            between: {
                let parts = $0.parts.toward($1.parts, by: $2)
                return (parts.matrix, parts)
            })
        let keys = sampler.keys(at: split(times, of: motion))
        tell(shear: keys.map { $0.value.matrix.distance(to: $0.value.parts.matrix, size: size) }, &report, place)
        if sampler.added > 0 { report.add(.sampled, .curves, at: place, deviation: sampler.deviation) }
        return tracks(of: keys.map { ($0.time, $0.value.parts) }, .linear, rest)
    }

    /// The keys as they are: whole matrices are what tools bake, frame by frame, and between two of them every engine
    /// turns. How far that leads from the straight way that the document's words mean is told.
    private func tracks(
        ofMatrices motion: inout NodeMotion, _ times: [Double], _ rest: RigidScale, _ report: inout FidelityReport,
        _ place: String?
    ) -> [ExportTrack] {
        var keys: [(time: Double, value: RigidScale)] = []
        var shear: [Double] = []
        var deviation = 0.0
        for time in times {
            let matrix = motion.matrix(at: time)
            let parts = RigidScale(nearest: matrix)
            shear.append(matrix.distance(to: parts.matrix, size: size))
            if let last = keys.last {
                let middle = motion.matrix(at: (last.time + time) / 2)
                deviation = max(deviation, middle.distance(to: last.value.toward(parts, by: 0.5).matrix, size: size))
            }
            keys.append((time, parts))
        }
        tell(shear: shear, &report, place)
        if deviation > Self.tolerance, deviation.isFinite {
            report.add(.approximated, .matrixKeys, at: place, deviation: deviation)
        }
        return tracks(of: keys, .linear, rest)
    }

    private func tell(shear: [Double], _ report: inout FidelityReport, _ place: String?) {
        if shear.contains(where: { $0 > Self.tolerance }) { report.add(.approximated, .shear, at: place) }
    }

    /// Of a morph's weights, one a target, at every time.
    func track(
        ofWeights count: Int, times: [Double], isStepwise: Bool, rest: [Double], _ report: inout FidelityReport,
        at place: String?, weights: @escaping (Double) -> [Double]
    ) -> ExportTrack? {
        guard count > 0, !times.isEmpty else { return nil }
        let times = self.times(times)
        guard !isStepwise else {
            return track(.weights, .step, times.map { ($0, weights($0)) }, count)
        }
        var sampler = KeySampler<[Double]>(
            tolerance: 1e-4, value: weights,
            distance: { zip($0, $1).reduce(0) { max($0, abs($1.0 - $1.1)) } },
            between: { start, end, share in zip(start, end).map { $0 + ($1 - $0) * share } })
        let keys = sampler.keys(at: times)
        if sampler.added > 0 { report.add(.sampled, .curves, at: place) }
        return track(.weights, .linear, keys, count)
    }

    // MARK: - Times

    /// The keys within the range, and its ends.
    private func times(_ keys: [Double]) -> [Double] {
        var times = [range.lowerBound] + keys.filter { $0 > range.lowerBound && $0 < range.upperBound }
        if range.upperBound > range.lowerBound { times.append(range.upperBound) }
        return times
    }

    /// With times between those where a rotation turns further than halfway round.
    private func split(_ times: [Double], of motion: NodeMotion) -> [Double] {
        guard let first = times.first else { return [] }
        var result = [first]
        for (start, end) in zip(times, times.dropFirst()) {
            let pieces = min(
                Double(Self.turnKeyLimit), (motion.turn(from: start, to: end) / Self.turnLimit).rounded(.up))
            if pieces > 1 {
                for piece in 1..<Int(pieces) { result.append(start + (end - start) * Double(piece) / pieces) }
            }
            result.append(end)
        }
        return result
    }

    // MARK: - Tracks

    /// Those that move, or stand otherwise than at rest.
    private func tracks(
        of keys: [(time: Double, value: RigidScale)], _ interpolation: ExportTrack.Interpolation, _ rest: RigidScale
    ) -> [ExportTrack] {
        var turned = keys.map { $0.value.rotation }
        // Of a rotation's two quaternions the one nearer to the key before: so that no engine turns the long way round.
        for index in turned.indices.dropFirst() where (turned[index] * turned[index - 1]).sum() < 0 {
            turned[index] = -turned[index]
        }
        let translations = keys.map { ($0.time, $0.value.translation.numbers) }
        let rotations = zip(keys, turned).map { ($0.time, $1.numbers) }
        let scales = keys.map { ($0.time, $0.value.scale.numbers) }
        var tracks: [ExportTrack] = []
        if let track = track(.translation, interpolation, translations, 3, unless: rest.translation.numbers) {
            tracks.append(track)
        }
        if let track = track(.rotation, interpolation, rotations, 4, unless: rest.rotation.numbers) {
            tracks.append(track)
        }
        if let track = track(.scale, interpolation, scales, 3, unless: rest.scale.numbers) { tracks.append(track) }
        return tracks
    }

    /// - Parameter rest: A track that says nothing but this is left out.
    private func track(
        _ path: ExportTrack.Path, _ interpolation: ExportTrack.Interpolation, _ keys: [(Double, [Double])],
        _ width: Int, unless rest: [Double]? = nil
    ) -> ExportTrack? {
        var times: [Float] = []
        var values: [Float] = []
        for (time, numbers) in keys {
            let moment = Float(max(0, time - offset))
            // Two keys of one moment: the later holds.
            if let last = times.last, moment <= last {
                values.removeLast(width)
                times.removeLast()
            }
            times.append(moment)
            values += numbers.map { Float($0) }
        }
        let isStill = (1..<max(1, times.count)).allSatisfy { key in
            (0..<width).allSatisfy { abs(values[key * width + $0] - values[$0]) <= abs(values[$0]) * 1e-6 }
        }
        if isStill, let rest, zip(values, rest).allSatisfy({ abs(Double($0) - $1) <= 1e-6 * max(1, abs($1)) }) {
            return nil
        }
        return ExportTrack(
            path: path, interpolation: interpolation, times: isStill ? Array(times.prefix(1)) : times,
            values: isStill ? Array(values.prefix(width)) : values, width: width)
    }
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
}

extension SIMD3<Double> {
    fileprivate var numbers: [Double] { [x, y, z] }
}

extension SIMD4<Double> {
    fileprivate var numbers: [Double] { [x, y, z, w] }
}

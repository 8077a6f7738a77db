package import DaeScene

/// The animations of a scene as tracks of the tree's nodes: one for each clip, or one of everything where the document has
/// no clips.
package struct PreparedAnimations {
    private let scene: Scene
    /// The scene's size in the document's units, above 0.
    private let size: Double
    /// Seconds between two keys that are added at least.
    private let leastSpan: Double
    private let budget: ConversionBudget
    private let curves: ExportConventions.Curves
    /// By node, the places to which nodes above take those that move far from where they stand in.
    private let origins: [Int: SIMD3<Double>]
    private let places: NodePlaces
    /// How nodes stand at rest, by node.
    private var rests: [Int: RigidScale] = [:]
    /// Matrices whose last row was reported to be lost.
    private var lostRows: Set<TransformPlace> = []

    package struct Clip {
        package let name: String?
        /// Each once.
        fileprivate let animations: [SceneIndex<Animation>]
        fileprivate let range: ClosedRange<Double>?
    }

    /// A channel of the scene.
    private struct ChannelPlace: Hashable {
        let animation: Int32
        let channel: Int32
    }

    /// A walk over curves that takes no more memory than some of them, where they are in a file.
    private struct CurveReading {
        private var seen = 0
        /// Numbers after which those in a file are given back.
        private static let mostSeen = 1 << 19

        /// A curve was looked at.
        mutating func end(of curve: AnimationCurve) {
            seen += curve.numberCount
            guard seen > Self.mostSeen else { return }
            curve.giveBack()
            seen = 0
        }
    }

    /// - Parameter prepared: With all its skins prepared.
    package init(_ prepared: PreparedScene) {
        scene = prepared.scene
        size = prepared.size
        (budget, curves) = (prepared.budget, prepared.conventions.curves)
        leastSpan = prepared.options.samplingRate.map { 1 / $0 } ?? 0
        (places, origins, lostRows) = (prepared.tree.places, prepared.tree.origins, prepared.tree.lostRows)
    }

    /// Once a document has clips, they say what is played.
    package func noteUnplayed(_ report: inout FidelityReport) {
        guard !scene.clips.isEmpty else { return }
        let played = Set(scene.animations(below: scene.clips.flatMap(\.animations)).map(\.value))
        for (index, animation) in scene.animations.enumerated()
        where !animation.channels.isEmpty && !played.contains(index) {
            report.add(.dropped, .unplayedAnimations, at: animation.name ?? animation.id)
        }
    }

    package var clips: [Clip] {
        guard !scene.clips.isEmpty else {
            let only = scene.animations.count == 1 ? scene.animations.first.flatMap { $0.name ?? $0.id } : nil
            return [
                Clip(name: only ?? "animation", animations: scene.animations.indices.map { SceneIndex($0) }, range: nil)
            ]
        }
        return scene.clips.map { clip in
            Clip(
                name: clip.name ?? clip.id, animations: scene.animations(below: clip.animations),
                range: clip.end.flatMap { $0 > clip.start ? clip.start...$0 : nil })
        }
    }

    /// One after the other, without a copy of all.
    private func channels(of clip: Clip) -> some Sequence<AnimationChannel> {
        clip.animations.lazy.flatMap { scene.animations[$0].channels }
    }

    private subscript(place: ChannelPlace) -> AnimationChannel {
        scene.animations[Int(place.animation)].channels[Int(place.channel)]
    }

    /// The channels of a node that count: of those that fit it, each that moves a number that no later one moves.
    private func winning(_ places: [ChannelPlace], of node: Node, _ unfitting: inout Int) -> [ChannelPlace] {
        var moved: [Int: Set<Int>] = [:]
        var winning: [ChannelPlace] = []
        for place in places.reversed() {
            let channel = self[place]
            guard case .transform(_, at: let transform, _) = channel.target,
                let numbers = NodeMotion.Channel.numbers(of: channel, in: node)
            else {
                unfitting += 1
                continue
            }
            guard !numbers.allSatisfy(moved[transform, default: []].contains) else { continue }
            moved[transform, default: []].formUnion(numbers)
            winning.append(place)
        }
        return winning.reversed()
    }

    /// Makes the tracks of a clip, one after the other.
    ///
    /// - Parameters:
    ///   - weighted: Nodes of the tree that show morphs, by the controllers of these, innermost first.
    ///   - take: Is handed each, with the nodes of the tree that it moves.
    package mutating func makeTracks(
        of clip: Clip, weighted: [[SceneIndex<Controller>]: [Int]], _ report: inout FidelityReport,
        _ take: (PreparedTrack, [Int]) throws(SceneExportError) -> Void
    ) throws(SceneExportError) {
        var byNode: [Int: [ChannelPlace]] = [:]
        var order: [Int] = []
        var byMorph: [Int: [ChannelPlace]] = [:]
        var dropped = 0
        for animation in clip.animations {
            for (index, channel) in scene.animations[animation].channels.enumerated() {
                let place = ChannelPlace(
                    animation: Int32(truncatingIfNeeded: animation.value), channel: Int32(truncatingIfNeeded: index))
                switch channel.target {
                case .transform(let node, at: _, _):
                    if byNode[node.value] == nil { order.append(node.value) }
                    byNode[node.value, default: []].append(place)
                case .morphWeight(let controller, at: _): byMorph[controller.value, default: []].append(place)
                case .material, .camera, .light: dropped += 1
                }
            }
        }
        report.add(.dropped, .channels, count: dropped, at: clip.name)
        if clip.range == nil {
            // What a clip's range asks for has keys; time without end has none.
            report.add(.dropped, .behaviors, count: channels(of: clip).count { $0.curve.goesOn }, at: clip.name)
        }
        guard let range = clip.range ?? range(of: channels(of: clip)) else { return }
        // Times begin at 0 in a clip; without clips they stay, but none is negative there.
        let offset = clip.range?.lowerBound ?? min(0, range.lowerBound)
        if clip.range == nil, offset < 0 {
            report.add(.approximated, .keyTimes, at: clip.name, deviation: -offset)
        }
        let builder = TrackBuilder(
            span: TrackSpan(range: range, offset: offset, leastSpan: leastSpan, budget: budget, curves: curves),
            size: size)
        var reading = CurveReading()
        for node in order where !places[node].isEmpty {
            var unfitting = 0
            let winning = winning(byNode[node] ?? [], of: scene.nodes[node], &unfitting)
            var fitting = winning.compactMap { NodeMotion.Channel(self[$0], of: scene.nodes[node]) }
            report.add(.dropped, .channels, count: unfitting, at: scene.nodes[node].id)
            dropLastRows(&fitting, of: node, &report)
            guard
                let motion = NodeMotion(transforms: scene.nodes[node].transforms, fitting, about: origins[node])
            else { continue }
            var rest = rests[node] ?? RigidScale(nearest: scene.nodes[node].matrix)
            rests[node] = rest
            if let origin = origins[node] { rest.translation -= origin }
            let tracks = builder.tracks(of: motion, rest: rest, &report, at: scene.nodes[node].id)
            try budget.check()
            for track in tracks { try take(track, places[node]) }
            for channel in fitting { reading.end(of: channel.curve) }
        }
        let shown = weighted.keys.filter { controllers in controllers.contains { byMorph[$0.value] != nil } }
        for controllers in shown.sorted(by: { $0.map(\.value).lexicographicallyPrecedes($1.map(\.value)) }) {
            var levels: [MorphLevel] = []
            for controller in controllers {
                let level = try level(of: controller, byMorph[controller.value] ?? [], &report)
                if let level { levels.append(level) }
            }
            let track = weights(of: levels, builder, &report)
            try budget.check()
            guard let track else { continue }
            try take(track, weighted[controllers] ?? [])
        }
    }

    /// Leaves out the channels that move nothing but the last row of a matrix, and reports what of it is not idle.
    private mutating func dropLastRows(
        _ channels: inout [NodeMotion.Channel], of index: Int, _ report: inout FidelityReport
    ) {
        let node = scene.nodes[index]
        channels.removeAll { channel in
            func note() {
                guard lostRows.insert(TransformPlace(node: index, transform: channel.place)).inserted else { return }
                report.add(.dropped, .lastRows, at: node.id ?? node.name)
            }
            switch channel.lastRow(of: node.transforms) {
            case .kept: return false
            case .idle: return true
            case .partlyLost:
                note()
                return false
            case .lost:
                note()
                return true
            }
        }
    }

    private func range(of channels: some Sequence<AnimationChannel>) -> ClosedRange<Double>? {
        var range: ClosedRange<Double>?
        var reading = CurveReading()
        for channel in channels {
            defer { reading.end(of: channel.curve) }
            guard let times = channel.curve.timeRange else { continue }
            range =
                min(
                    times.lowerBound, range?.lowerBound ?? times.lowerBound)...max(
                    times.upperBound, range?.upperBound ?? times.upperBound)
        }
        return range
    }

    /// One of the morphs that a node shows: its weights at rest, and those that move.
    private struct MorphLevel {
        let controller: SceneIndex<Controller>
        let rest: [Double]
        let numbers: [Int: CurveNumber]
        /// Of the keys of all curves.
        let times: Set<Double>

        func weights(at time: Double) -> [Double] {
            var weights = rest
            for (target, number) in numbers { weights[target] = number.curve.value(at: time)[number.component] }
            return weights
        }
    }

    private func level(
        of controller: SceneIndex<Controller>, _ places: [ChannelPlace], _ report: inout FidelityReport
    ) throws(SceneExportError) -> MorphLevel? {
        guard case .morph(let morph) = scene.controllers[controller.value].kind else { return nil }
        let count = morph.targets.count
        // The later one of two that move a weight counts.
        var moving: [Int: (channel: ChannelPlace, component: Int)] = [:]
        for place in places {
            let channel = self[place]
            guard case .morphWeight(_, at: let target) = channel.target else { continue }
            let (fits, targets) =
                if let target {
                    ((0..<count).contains(target), (0..<count).contains(target) ? [target] : [])
                } else {
                    (channel.curve.width == count, Array(0..<min(count, channel.curve.width)))
                }
            if !fits || channel.curve.times.isEmpty {
                report.add(.dropped, .channels, at: scene.controllers[controller.value].id)
            }
            guard !channel.curve.times.isEmpty else { continue }
            for (component, target) in targets.enumerated() { moving[target] = (place, component) }
        }
        let winners = Array(Set(moving.values.map(\.channel)))
        let curves = Dictionary(uniqueKeysWithValues: winners.lazy.map { ($0, self[$0].curve) })
        var numbers: [Int: CurveNumber] = [:]
        for (target, (place, component)) in moving {
            numbers[target] = curves[place].map { CurveNumber(curve: $0, component: component) }
        }
        return MorphLevel(
            controller: controller, rest: MorphChain.rest(morph), numbers: numbers,
            times: Set(curves.values.lazy.flatMap(\.times)))
    }

    private func weights(
        of levels: [MorphLevel], _ builder: TrackBuilder, _ report: inout FidelityReport
    ) -> PreparedTrack? {
        let times = levels.reduce(into: Set()) { $0.formUnion($1.times) }.sorted()
        guard let outer = levels.last, !times.isEmpty else { return nil }
        let place = scene.controllers[outer.controller.value].id
        guard levels.count > 1, let chain = MorphChain(scene, from: outer.controller) else {
            return builder.track(ofWeights: outer.rest, outer.numbers, times: times, &report, at: place)
        }
        guard chain.targetCount > 0 else { return nil }
        // Weights of several morphs are multiplied: no curve has their shape.
        return builder.track(
            values: { time in chain.weights(levels: levels.map { $0.weights(at: time) }) }, times: times, &report,
            at: place, weights: { $0 }, count: chain.targetCount)
    }
}

import DaeMesh
import DaeScene

/// Keys of one property.
struct USDKeys {
    /// Numbers of a value.
    let width: Int
    /// The value of what stands still, and at no time.
    var rest: [Float]
    /// In seconds, ascending; empty for what stands still.
    var times: [Double] = []
    /// Those of each key, one after the other.
    var values: [Float] = []

    /// Appends the value at a moment.
    ///
    /// - Parameters:
    ///   - isRotation: Whether the numbers are a quaternion, which turns.
    ///   - key: Where the last moment was found; the next is never before it.
    func append(at time: Double, isRotation: Bool, from key: inout Int, to numbers: inout [Float]) {
        guard !times.isEmpty else {
            numbers += rest
            return
        }
        while key + 1 < times.count, times[key + 1] <= time { key += 1 }
        let start = key * width
        guard key + 1 < times.count, times[key] < time else {
            numbers += values[start..<start + width]
            return
        }
        let share = (time - times[key]) / (times[key + 1] - times[key])
        if isRotation {
            func rotation(_ start: Int) -> SIMD4<Double> {
                SIMD4(SIMD4(values[start], values[start + 1], values[start + 2], values[start + 3]))
            }
            let turned = RigidScale.slerp(rotation(start), rotation(start + width), share)
            for lane in 0..<4 { numbers.append(Float(turned[lane])) }
            return
        }
        for place in start..<start + width {
            let (first, last) = (Double(values[place]), Double(values[place + width]))
            numbers.append(Float(first + (last - first) * share))
        }
    }
}

/// All animations of a scene on the one timeline that a layer has: clips follow each other.
struct USDMotion {
    /// What one property does, by clip.
    private typealias Pieces = [Int: PreparedTrack]
    private struct Node {
        var translation: Pieces = [:]
        var rotation: Pieces = [:]
        var scale: Pieces = [:]
    }
    /// The weights of a morph, which all nodes that show it share.
    private struct Morph {
        let names: [String]
        let rest: [Float]
        var pieces: Pieces = [:]
    }
    private struct Clip {
        let name: String?
        var length = 0.0
        /// On the timeline, in seconds.
        var start = 0.0
        var hasTracks = false
    }

    private let budget: ConversionBudget
    private var nodes: [Int: Node] = [:]
    private var morphs: [Morph] = []
    /// Morphs by number, by the node of the tree that shows one.
    private(set) var morphPlaces: [Int: Int] = [:]
    private var clips: [Clip] = []
    /// Units of the timeline in a second.
    private var rate = 24.0
    /// Whether all keys are at whole units, but for what 32 bits lose of them.
    private var isWhole = false  // a finding about the keys

    /// Pictures a second that animations are made for.
    private static let usualRates = [24.0, 30, 25, 60]
    /// Seconds before a jump at which what was there is held.
    private static let jump = 1e-4

    init(_ budget: ConversionBudget) { self.budget = budget }

    var hasWeights: Bool { !morphs.isEmpty }
    /// Those with anything that moves.
    var clipCount: Int { clips.count(where: \.hasTracks) }

    /// - Parameter weighted: Nodes of the tree that show morphs, by the controllers of these, innermost first.
    mutating func read(
        _ prepared: PreparedScene, weighted: [[SceneIndex<Controller>]: [Int]], _ report: inout FidelityReport
    ) throws(SceneExportError) {
        for (controllers, places) in weighted.sorted(by: { $0.value[0] < $1.value[0] }) {
            let rest = MorphChain(prepared.scene, from: controllers.last)?.restWeights ?? []
            let names = rest.indices.map { "morph\(morphs.count)_\($0)" }
            for place in places { morphPlaces[place] = morphs.count }
            morphs.append(Morph(names: names, rest: rest.map { Float($0) }))
        }
        var animations = PreparedAnimations(prepared)
        for clip in animations.clips {
            clips.append(Clip(name: clip.name))
            try animations.makeTracks(of: clip, weighted: weighted, &report) { track, places throws(SceneExportError) in
                try budget.add(keys: track.times.count * max(1, track.width / 4) * max(1, places.count))
                clips[clips.count - 1].hasTracks = true
                clips[clips.count - 1].length = max(clips[clips.count - 1].length, Double(track.times.last ?? 0))
                for place in places { add(track, to: place) }
            }
        }
        animations.noteUnplayed(&report)
        settleTimes()
        if clipCount > 1 { report.add(.approximated, .animations, count: clipCount) }
    }

    private mutating func add(_ track: PreparedTrack, to place: Int) {
        let clip = clips.count - 1
        switch track.path {
        case .translation: nodes[place, default: Node()].translation[clip] = track
        case .rotation: nodes[place, default: Node()].rotation[clip] = track
        case .scale: nodes[place, default: Node()].scale[clip] = track
        case .weights: if let morph = morphPlaces[place] { morphs[morph].pieces[clip] = track }
        }
    }

    private mutating func settleTimes() {
        func areWhole(_ pieces: Pieces, _ rate: Double) -> Bool {
            pieces.values.allSatisfy { track in
                var last = -1.0
                return track.times.allSatisfy { time in
                    guard let code = Self.nearestWhole(Double(time) * rate), code > last else { return false }
                    last = code
                    return true
                }
            }
        }
        let found = Self.usualRates.first { rate in
            nodes.values.allSatisfy { node in
                [node.translation, node.rotation, node.scale].allSatisfy { areWhole($0, rate) }
            } && morphs.allSatisfy { areWhole($0.pieces, rate) }
        }
        isWhole = found != nil
        rate = found ?? Self.usualRates[0]
        var start = 0.0
        for clip in clips.indices where clips[clip].hasTracks {
            clips[clip].start = start
            start = ((start + clips[clip].length) * rate - 1e-3).rounded(.up) / rate + 1 / rate
        }
    }

    /// Keys are in 32 bits, and pictures' times seldom are whole there.
    private static func nearestWhole(_ code: Double) -> Double? {
        let whole = code.rounded()
        return abs(whole - code) <= 1e-3 ? whole : nil
    }

    /// Seconds as units of the timeline.
    func codes(_ times: [Double]) -> [Double] {
        times.map { time in isWhole ? Self.nearestWhole(time * rate) ?? time * rate : time * rate }
    }

    /// Says how long the timeline is, and what clips it consists of.
    func putTimes(in crate: inout CrateWriter, _ data: inout [(key: String, value: CrateValue)])
        throws(SceneExportError)
    {
        let moving = clips.filter(\.hasTracks)
        guard let last = moving.last else { return }
        crate.put("timeCodesPerSecond", try crate.value(rate))
        crate.put("framesPerSecond", try crate.value(rate))
        crate.put("startTimeCode", try crate.value(0))
        crate.put("endTimeCode", try crate.value(codes([last.start + last.length])[0]))
        guard moving.count > 1 else { return }
        var names = USDNames()
        var entries: [(key: String, value: CrateValue)] = []
        for clip in moving {
            let range = codes([clip.start, clip.start + clip.length])
            let (start, end) = (try crate.value(range[0]), try crate.value(range[1]))
            let name = names.unique(USDNames.identifier(clip.name, or: "clip"))
            entries.append((name, try crate.dictionary([("end", end), ("start", start)])))
        }
        data.append(("clips", try crate.dictionary(entries.sorted { $0.key < $1.key })))
    }

    // MARK: - Keys

    /// What moves a node; `nil` for one that stands still.
    func parts(
        of place: Int, _ prepared: PreparedScene
    ) -> (translation: USDKeys, rotation: USDKeys, scale: USDKeys)? {
        guard let node = nodes[place] else { return nil }
        let rest = prepared.tree.rest(of: prepared.tree.nodes[place], in: prepared.scene)
        let (translation, rotation, scale) = (rest.translation, rest.rotation, rest.scale)
        return (
            keys(node.translation, rest: (0..<3).map { Float(translation[$0]) }),
            keys(node.rotation, rest: (0..<4).map { Float(rotation[$0]) }),
            keys(node.scale, rest: (0..<3).map { Float(scale[$0]) })
        )
    }

    /// Names of the weights of what a node shows.
    func weightNames(at place: Int) -> [String]? { morphPlaces[place].map { morphs[$0].names } }

    /// The names of the weights of a morph, and what they do.
    func weights(of morph: Int) -> (names: [String], keys: USDKeys) {
        (morphs[morph].names, keys(morphs[morph].pieces, rest: morphs[morph].rest))
    }

    private func keys(_ pieces: Pieces, rest: [Float]) -> USDKeys {
        var keys = USDKeys(width: rest.count, rest: rest)
        guard !pieces.isEmpty else { return keys }
        let isAlone = clipCount == 1
        for (index, clip) in clips.enumerated() where clip.hasTracks {
            guard let track = pieces[index] else {
                keys.add(clip.start, rest)
                keys.add(clip.start + clip.length, rest)
                continue
            }
            let width = track.path == .weights ? rest.count : track.width
            for (key, time) in track.times.enumerated() {
                let value = track.values[key * width..<(key + 1) * width]
                let time = clip.start + Double(time)
                // What comes before or behind in the clip is that value, too.
                if !isAlone, key == 0 { keys.add(clip.start, value) }
                if track.interpolation == .step, key > 0 {
                    keys.hold(before: time, by: Self.jump)
                }
                keys.add(time, value)
                if !isAlone, key == track.times.count - 1 { keys.add(clip.start + clip.length, value) }
            }
        }
        return keys
    }
}

extension USDKeys {
    fileprivate mutating func add(_ time: Double, _ value: some Sequence<Float>) {
        if let last = times.last, time <= last {
            values.removeLast(width)
        } else {
            times.append(time)
        }
        values.append(contentsOf: value)
    }

    /// Keeps the last value until right before a moment.
    fileprivate mutating func hold(before time: Double, by span: Double) {
        guard let last = times.last, time > last else { return }
        times.append(max(time - span, (last + time) / 2))
        values += values.suffix(width)
    }
}

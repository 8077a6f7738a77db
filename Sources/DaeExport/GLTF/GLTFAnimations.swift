import DaeMesh
import DaeScene

/// Writes animations, each with its channels and samplers.
struct GLTFAnimations {
    private(set) var list: JSONList
    private let budget: ConversionBudget
    private var timeAccessors: [[Float]: Int] = [:]

    private struct Written {
        var channels = JSONList()
        var samplers = JSONList()
    }

    private let compactor: GLTFCompactor?
    /// Of the scene, in the units of its tracks.
    private let size: Double

    init(_ spool: TextSpool, _ budget: ConversionBudget, _ compactor: GLTFCompactor?, size: Double) {
        list = JSONList(spool)
        self.budget = budget
        self.compactor = compactor
        self.size = size
    }

    /// - Parameter weighted: Nodes that show morphs, by the controllers of these, innermost first.
    mutating func write(
        _ animations: inout PreparedAnimations, weighted: [[SceneIndex<Controller>]: [Int]],
        _ buffer: inout GLTFBuffer, _ report: inout FidelityReport
    ) throws(SceneExportError) {
        // A report that others write to while tracks are made is not ours to write to.
        var rounded = FidelityReport()
        for clip in animations.clips {
            var written = Written()
            try animations.makeTracks(of: clip, weighted: weighted, &report) {
                track, nodes throws(SceneExportError) in
                try add(track, to: nodes, &written, &buffer, &rounded)
            }
            guard written.channels.count > 0 else { continue }
            list.add(
                JSONObject { object in
                    if let name = clip.name { object.put("name", name) }
                    object.put("channels", written.channels)
                    object.put("samplers", written.samplers)
                })
        }
        report.add(rounded)
        animations.noteUnplayed(&report)
    }

    private mutating func add(
        _ track: PreparedTrack, to nodes: [Int], _ animation: inout Written, _ buffer: inout GLTFBuffer,
        _ report: inout FidelityReport
    ) throws(SceneExportError) {
        try budget.add(keys: track.times.count * max(1, track.width / 4))
        let input: Int
        if let known = timeAccessors[track.times] {
            input = known
        } else {
            input = try buffer.add(track.times, width: 1, target: nil, needsBounds: true)
            timeAccessors[track.times] = input
        }
        // Weights are numbers one by one, as many a key as there are targets.
        let width = track.path == .weights ? 1 : track.width
        let output: Int
        if let (elements, error) = compactor?.keys(of: track, size: size) {
            let subject: FidelitySubject = track.path == .rotation ? .roundedRotations : .roundedTranslations
            if error > 0 { report.add(.approximated, subject, deviation: error) }
            output = try buffer.add(elements, nil)
        } else {
            output = try buffer.add(track.values, width: width, target: nil, needsBounds: false)
        }
        let sampler = animation.samplers.add(
            JSONObject { object in
                object.put("input", input)
                object.put("interpolation", track.interpolation.name)
                object.put("output", output)
            })
        for node in nodes {
            // Their text is in memory until the animation is whole.
            if animation.channels.count % 4096 == 0 { try budget.check(output: animation.channels.size) }
            animation.channels.add(
                JSONObject { object in
                    object.put("sampler", sampler)
                    object.put(
                        "target",
                        JSONObject { target in
                            target.put("node", node)
                            target.put("path", track.path.name)
                        })
                })
        }
    }
}

extension PreparedTrack.Path {
    fileprivate var name: String {
        switch self {
        case .translation: "translation"
        case .rotation: "rotation"
        case .scale: "scale"
        case .weights: "weights"
        }
    }
}

extension PreparedTrack.Interpolation {
    fileprivate var name: String {
        switch self {
        case .linear: "LINEAR"
        case .step: "STEP"
        case .cubic: "CUBICSPLINE"
        }
    }
}

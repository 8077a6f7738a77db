import DaeExport
import DaeMesh
import DaeScene
import Glibc
import TestSupport
import Testing

/// What an engine shows of an animation is what the document means.
@Suite struct PoseTests {
    /// Documents of ours with channels; in the corpus the animated ones are found.
    @Test(arguments: ["animations", "skin", "rich-1.4", "rich-1.5"])
    func nodesMoveAsTheDocumentSays(_ name: String) throws {
        try check(Repository.fixture("documents/\(name).dae"), name)
    }

    @Test(
        .enabled(
            if: Repository.corpus != nil,
            "the corpus of real models is not here; put it beside the checkout or name its folder in DAE_CORPUS"))
    func nodesOfRealModelsMoveAsTheDocumentsSay() throws {
        let corpus = try #require(Repository.corpus)
        let isFull = Repository.environment("DAE_TEST_FULL") == "1"
        let animated = try Repository.table(corpus + "/MANIFEST.tsv").filter {
            $0["expect"] == "ok" && Int($0["animations"] ?? "") ?? 0 > 0 && $0["path"]?.hasSuffix(".dae") == true
        }.compactMap { $0["path"] }
        var checked = 0
        for path in animated {
            let bytes = try Repository.bytes(at: corpus + "/" + path)
            guard isFull || bytes.count < 1_500_000, isFull || checked < 12 else { continue }
            if try check(bytes, path) { checked += 1 }
        }
        #expect(checked >= 10, "\(checked) of \(animated.count)")
    }

    /// - Returns: Whether there was something to look at.
    @discardableResult
    private func check(_ document: [UInt8], _ name: String) throws -> Bool {
        let scene = try Conversion.scene(of: document)
        guard scene.clips.isEmpty, !scene.channels.isEmpty, let conversion = try? Conversion(scene) else {
            return false
        }
        let checker = conversion.checker
        #expect(checker.faults.isEmpty, "\(name): \(checker.faults.prefix(3))")
        let file = try #require(checker.file)
        guard let animation = file.list("animations").first else { return false }
        let converted = scene.converted(toMeters: 1, up: .y)
        var pose = PoseEvaluator(scene: converted, channels: converted.channels)
        let size = SceneBounds(of: converted).box.map { $0.size.max() } ?? 1
        // Baked matrices turn between keys, and are told of: they are held to at their keys.
        let isBaked = conversion.report.entries.contains { $0.subject == .matrixKeys }
        let sheared = conversion.report.entries.contains { $0.subject == .shear && $0.change == .approximated }
        guard !sheared else { return false }
        let offset = min(0, scene.channels.compactMap(\.curve.timeRange).map(\.lowerBound).min() ?? 0)
        var worst = 0.0
        var compared = 0
        for time in times(of: scene, between: !isBaked) {
            pose.move(to: time)
            let expected = pose.worlds(in: converted)
            let worlds = GLTFPose(file, checker).worlds(animation, at: Float(time - offset))
            for (index, node) in file.list("nodes").enumerated() {
                guard let id = node["extras"]?["id"]?.string,
                    let ours = converted.nodes.firstIndex(where: { $0.id == id }), let matrix = expected[ours]
                else { continue }
                let distance = (matrix.columns.3 - worlds[index].columns.3).largest / size
                worst = max(worst, distance)
                compared += 1
            }
        }
        #expect(compared > 0, "\(name)")
        #expect(worst <= 1e-4, "\(name): a node is off by \(worst) of the size")
        return true
    }

    private func times(of scene: Scene, between: Bool) -> [Double] {
        let keys = Set(scene.channels.flatMap(\.curve.times)).sorted()
        let step = max(1, keys.count / 10)
        let some = stride(from: 0, to: keys.count, by: step).map { $0 }
        // Float has no time for keys that are nearer to each other than its numbers are.
        guard between else { return some.map { keys[$0] } }
        return some.map { $0 + 1 < keys.count ? keys[$0] + (keys[$0 + 1] - keys[$0]) * 0.37 : keys[$0] }
    }
}

/// Plays an animation as glTF says.
struct GLTFPose {
    private let file: GLTFFile
    private let checker: GLTFChecker

    init(_ file: GLTFFile, _ checker: GLTFChecker) {
        self.file = file
        self.checker = checker
    }

    func worlds(_ animation: JSONNode, at time: Float) -> [Matrix4] {
        var nodes = file.list("nodes").map(\.members)
        for channel in animation["channels"]?.elements ?? [] {
            guard let node = channel["target"]?["node"]?.int, let path = channel["target"]?["path"]?.string,
                path != "weights", let sampler = channel["sampler"]?.int,
                let value = value(animation["samplers"]?.elements[sampler], path, Double(time))
            else { continue }
            nodes[node][path] = .array(value.map { .number($0) })
        }
        var moved = file
        if case .object(var root) = file.root {
            root["nodes"] = .array(nodes.map { .object($0) })
            moved.root = .object(root)
        }
        return moved.worlds
    }

    private func value(_ sampler: JSONNode?, _ path: String, _ time: Double) -> [Double]? {
        guard let input = sampler?["input"]?.int.flatMap({ checker.accessors[$0] }),
            let output = sampler?["output"]?.int.flatMap({ checker.accessors[$0] }), let first = input.values.first,
            let last = input.values.last
        else { return nil }
        // A cubic has three rows a key, of which the second is the value.
        let isCubic = sampler?["interpolation"]?.string == "CUBICSPLINE"
        func row(_ key: Int, _ part: Int = 1) -> [Double] {
            Array(output.row(isCubic ? key * 3 + part : key))
        }
        if time <= first { return row(0) }
        if time >= last { return row(input.count - 1) }
        let after = input.values.firstIndex { $0 > time } ?? input.count - 1
        let (start, end) = (row(after - 1), row(after))
        if sampler?["interpolation"]?.string == "STEP" { return start }
        let share = (time - input.values[after - 1]) / (input.values[after] - input.values[after - 1])
        if isCubic {
            let span = input.values[after] - input.values[after - 1]
            let (leaving, arriving) = (row(after - 1, 2), row(after, 0))
            let (square, cube) = (share * share, share * share * share)
            return start.indices.map { lane in
                let (first, last) = (start[lane] * (2 * cube - 3 * square + 1), end[lane] * (3 * square - 2 * cube))
                return first + last + span * leaving[lane] * (cube - 2 * square + share)
                    + span * arriving[lane] * (cube - square)
            }
        }
        guard path == "rotation" else { return zip(start, end).map { $0 + ($1 - $0) * share } }
        var cosine = zip(start, end).reduce(0) { $0 + $1.0 * $1.1 }
        let sign: Double = cosine < 0 ? -1 : 1
        cosine = min(1, abs(cosine))
        let angle = acos(cosine)
        let (near, far) = angle < 1e-6 ? (1 - share, share) : (sin((1 - share) * angle), sin(share * angle))
        let mixed = zip(start, end).map { $0 * near + $1 * far * sign }
        let length = mixed.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return mixed.map { $0 / length }
    }
}

extension SIMD4<Double> {
    fileprivate var largest: Double { Swift.max(abs(x), abs(y), abs(z), abs(w)) }
}

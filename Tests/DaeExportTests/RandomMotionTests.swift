import DaeExport
import DaeMesh
import DaeScene
import TestSupport
import Testing

/// Whatever transforms a node has and whichever of them move: engines show what the document means.
@Suite struct RandomMotionTests {
    private static let times: [Double] = [0, 0.5, 1.25, 2]

    @Test(arguments: 1...(Repository.environment("DAE_TEST_FULL") == "1" ? 60 : 5)) func anyTransformsMoveAsTheyShould(
        _ seed: Int
    ) throws {
        var numbers = SeededNumbers(seed: UInt64(seed))
        var scene = try Conversion.scene(of: SmallDocument().bytes)
        let node = try #require(scene.roots.first)
        scene.nodes[node.value].transforms = Self.transforms(&numbers)
        var channels: [AnimationChannel] = []
        while channels.isEmpty {
            for (place, transform) in scene.nodes[node].transforms.enumerated() where Bool.random(using: &numbers) {
                channels += Self.channels(node, place, transform, &numbers)
            }
        }
        scene.animations = [Animation(id: "A", name: nil, channels: channels, children: [])]
        let conversion = try Conversion(scene)
        let checker = conversion.checker
        #expect(checker.faults.isEmpty, "\(checker.faults)")
        let file = try #require(checker.file)
        var pose = PoseEvaluator(scene: scene, channels: channels)
        let size = SceneBounds(of: scene).box.map { $0.size.max() } ?? 1
        let animation = file.list("animations").first
        let sheared = conversion.report.entries.contains { $0.subject == .shear && $0.change == .approximated }
        // What cannot be followed within the tolerance is told.
        let told = conversion.report.entries.first { $0.subject == .curves }?.deviation ?? 0
        for _ in 0..<16 {
            let time = Double.random(in: 0...2, using: &numbers)
            // Just before a jump the file holds for as long as Float has no number between.
            if Self.times.contains(where: { abs($0 - time) < 1e-3 }) { continue }
            pose.move(to: time)
            let expected = pose.locals[node.value]
            let seen = animation.map { GLTFPose(file, checker).worlds($0, at: Float(time))[0] } ?? file.worlds[0]
            let origin = (expected.columns.3 - seen.columns.3).largest / size
            let longest = [expected.columns.0, expected.columns.1, expected.columns.2].map(\.largest).max() ?? 1
            let axes =
                [
                    expected.columns.0 - seen.columns.0, expected.columns.1 - seen.columns.1,
                    expected.columns.2 - seen.columns.2,
                ].map(\.largest).max() ?? 0
            #expect(origin < max(2e-4, 2 * told), "at \(time): \(origin)")
            #expect(sheared || axes < max(4e-4, 2 * told) * max(1, longest), "at \(time): \(axes) of \(longest)")
        }
    }

    private static func transforms(_ numbers: inout SeededNumbers) -> [Transform] {
        func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &numbers) }
        func turns() -> [Transform] {
            [[0, 0, 1], [0, 1, 0], [1, 0, 0]].shuffled(using: &numbers).prefix(Int.random(in: 1...3, using: &numbers))
                .map { .rotate(axis: $0, degrees: Double.random(in: -180...180, using: &numbers)) }
        }
        let shift = Transform.translate([number(-2...2), number(-2...2), number(-2...2)])
        let scale = Transform.scale([number(0.5...2), number(0.5...2), number(-2 ... -0.5)])
        let pivot = [number(-1...1), number(-1...1), number(-1...1)]
        switch Int.random(in: 0...4, using: &numbers) {
        case 0: return [shift] + turns() + [scale]
        case 1: return turns() + [shift]
        case 2:
            return [shift, .translate(SIMD3(pivot))] + turns() + [.translate(-SIMD3(pivot))]
        case 3: return [.scale([2, 2, 2]), shift] + turns()
        default: return [shift] + turns() + [.scale([number(0.5...2), 1, 1])] + turns()
        }
    }

    /// One for the whole, or one for each of its numbers.
    private static func channels(
        _ node: SceneIndex<Node>, _ place: Int, _ transform: Transform, _ numbers: inout SeededNumbers
    ) -> [AnimationChannel] {
        let names: [AnimationMember]
        let range: ClosedRange<Double>
        switch transform {
        case .rotate: (names, range) = ([.named(.angle)], -400...400)
        case .scale: (names, range) = ([.named(.x), .named(.y), .named(.z)], 0.4...2)
        case .translate, .matrix, .skew, .lookat: (names, range) = ([.named(.x), .named(.y), .named(.z)], -3...3)
        }
        if case .rotate = transform {
        } else if Bool.random(using: &numbers) {
            return [channel(node, place, .whole, 3, range, &numbers)]
        }
        return names.filter { _ in Int.random(in: 0...3, using: &numbers) > 0 }
            .map { channel(node, place, $0, 1, range, &numbers) }
    }

    private static func channel(
        _ node: SceneIndex<Node>, _ place: Int, _ member: AnimationMember, _ width: Int, _ range: ClosedRange<Double>,
        _ numbers: inout SeededNumbers
    ) -> AnimationChannel {
        func number() -> Double { Double.random(in: range, using: &numbers) }
        let values = (0..<times.count * width).map { _ in number() }
        let kinds: [AnimationInterpolation] = [
            .linear, .linear, .bezier, .bezier, .hermite, .step, .cardinal, .bspline,
        ]
        let kind = kinds[Int.random(in: 0..<kinds.count, using: &numbers)]
        // Handles within the segments, or at their thirds.
        let share = Bool.random(using: &numbers) ? 1.0 / 3 : Double.random(in: 0.1...0.6, using: &numbers)
        func handles(_ side: Double) -> [Double] {
            times.indices.flatMap { key in
                let other = min(max(key + Int(side), 0), times.count - 1)
                let length = other == key ? 0.5 * side : times[other] - times[key]
                return (0..<width).flatMap { _ in
                    kind == .hermite
                        ? [3 * share * abs(length), number() / 4] : [times[key] + share * length, number()]
                }
            }
        }
        let curve = AnimationCurve(
            times: times, values: values, width: width, interpolations: .all(kind),
            tangents: AnimationTangents(
                incoming: handles(-1), outgoing: handles(1), incomingStride: 2 * width, outgoingStride: 2 * width))
        return AnimationChannel(target: .transform(node, at: place, member), curve: curve)
    }
}

extension SIMD4<Double> {
    fileprivate var largest: Double { Swift.max(abs(x), abs(y), abs(z)) }
}

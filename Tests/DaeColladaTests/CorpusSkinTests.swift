// Real models that nobody here made: every joint of every skin is a node, or a finding says which is none.

import DaeCollada
import DaeDiagnostics
import DaeScene
import TestSupport
import Testing

@Suite(
    .enabled(
        if: Repository.corpus != nil,
        "the corpus of real models is not here; put it beside the checkout or name its folder in DAE_CORPUS"))
struct CorpusSkinTests {
    @Test func everyJointIsANodeOrTold() throws {
        let corpus = try #require(Repository.corpus)
        var totals: [String: Int] = [:]
        func count(_ what: String, _ number: Int = 1) { totals[what, default: 0] += number }
        for row in try Repository.table(corpus + "/MANIFEST.tsv") {
            guard let path = row["path"], path.lowercased().hasSuffix(".dae"), row["controllers"] != "0"
            else { continue }
            let outcome = Outcome(try Repository.bytes(at: corpus + "/" + path))
            guard !outcome.scene.controllers.isEmpty else { continue }
            count("files")
            for case .controller(let index, let skeleton, materials: _) in outcome.scene.nodes.flatMap(\.instances) {
                count("instances")
                guard let skin = outcome.scene.skin(of: index) else { continue }
                #expect(skeleton.joints.count == skin.joints.count, "\(path)")
                #expect(skin.inverseBinds.count == skin.joints.count, "\(path)")
                count("joints", skin.joints.count)
                for (name, joint) in zip(skin.joints, skeleton.joints) where joint == nil {
                    count("joints without a node")
                    let isTold = outcome.findings.contains {
                        $0.code == .skinJointUnresolved && $0.arguments.contains(.init("joint", name))
                    }
                    #expect(isTold, "\(path): \(name)")
                }
            }
            check(outcome, path, count)
        }
        for (what, number) in totals.sorted(by: { $0.key < $1.key }) { print("skins of the corpus: \(what) \(number)") }
        #expect(totals["joints", default: 0] >= 164)
        #expect(totals["joints without a node", default: 0] == 0)
    }

    /// The conformance suite's pairs of controllers must draw the same; here their boxes are held against each other.
    @Test func pairsOfControllersFillTheSameBox() throws {
        let corpus = try #require(Repository.corpus)
        var pairs = 0
        for row in try Repository.table(corpus + "/RELATIONS.tsv") where row["relation"] == "equals" {
            guard let first = row["document"], let second = row["reference"], first.contains("controller/") else {
                continue
            }
            let boxes = try [first, second].map { path in
                box(of: Outcome(try Repository.bytes(at: corpus + "/" + path)).scene)
            }
            pairs += 1
            let isSame = zip(boxes[0], boxes[1]).allSatisfy { abs($0 - $1) <= 1e-3 * max(1, abs($0)) }
            // Of this pair all is the same but the matrix that the specification has applied to every vertex.
            let isMeantSame = !first.contains("bind_shape_matrix")
            #expect(isSame == isMeantSame, "\(first): \(boxes)")
        }
        #expect(pairs >= 8)
    }

    private func box(of scene: Scene) -> [Double] {
        var (low, high) = ([Double](repeating: .infinity, count: 3), [Double](repeating: -.infinity, count: 3))
        let pose = PoseEvaluator(scene: scene, channels: [])
        let deformer = Deformer(scene: scene, pose: pose)
        pose.forEachPlacement(in: scene) { node, matrix in
            for positions in scene.nodes[node].instances.compactMap({ deformer.positions(of: $0, placedBy: matrix) }) {
                for (index, value) in positions.enumerated() {
                    low[index % 3] = min(low[index % 3], value)
                    high[index % 3] = max(high[index % 3], value)
                }
            }
        }
        return low + high
    }

    /// At rest every skin and morph has finite positions, one for each of its mesh.
    private func check(_ outcome: Outcome, _ path: String, _ count: (String, Int) -> Void) {
        let scene = outcome.scene
        let pose = PoseEvaluator(scene: scene, channels: scene.channels)
        let deformer = Deformer(scene: scene, pose: pose)
        pose.forEachPlacement(in: scene) { node, matrix in
            for case .controller(let index, let skeleton, let materials) in scene.nodes[node].instances {
                let instance = Instance.controller(index, skeleton: skeleton, materials: materials)
                guard let base = scene.controllers[index].base,
                    let positions = deformer.positions(of: instance, placedBy: matrix)
                else { continue }
                count("deformed", 1)
                #expect(positions.count == 3 * scene.geometries[base].measure.positions, "\(path)")
                let isFinite = positions.allSatisfy(\.isFinite)
                #expect(isFinite, "\(path)")
            }
        }
        for code in Set(outcome.codes)
        where code.rawValue.hasPrefix("SKIN") || code.rawValue.hasPrefix("MORPH") || code == .refByName {
            count("files with \(code.rawValue)", 1)
        }
    }
}

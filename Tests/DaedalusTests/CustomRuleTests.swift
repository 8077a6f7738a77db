import DaeDiagnostics
import DaePipeline
import DaeScene
import Daedalus
import Synchronization
import TestSupport
import Testing

/// Rules that a program adds to those of the library.
@Suite struct CustomRuleTests {
    private static let walker = Repository.fixtures + "/bundles/walker.zip"

    private static func options(validates: Bool) -> Dae.Options {
        var options = Dae.Options()
        options.validates = validates
        options.rules = [
            { _, inspection in
                inspection.images.compactMap { image in
                    guard let width = image.width, width > 2 else { return nil }
                    return Finding(
                        rule: "acme/texture-size", severity: .error, at: Place(entry: image.path),
                        "the texture is \(width) pixels wide; expected 2 at most")
                }
            },
            { scene, _ in
                scene.nodes.contains { $0.kind == .joint } ? [Finding(rule: "acme/joints", "a joint is here")] : []
            },
        ]
        return options
    }

    @Test(arguments: [false, true]) func theirFindingsStandBesideTheLibrarys(validates: Bool) async throws {
        let own = try await Dae.inspect(.path(Self.walker), options: Self.options(validates: validates)).findings
        var plain = Dae.Options()
        plain.validates = validates
        let others = try await Dae.inspect(.path(Self.walker), options: plain).findings
        #expect(own.findings.filter { $0.code != .customRule } == others.findings)
        let found = own.findings.filter { $0.code == .customRule }
        #expect(found.map { $0.arguments.first?.value } == ["acme/texture-size", "acme/joints"])
        #expect(found.map(\.severity) == [.error, .warning])
        #expect(found.first?.place.entry == "textures/skin tone.png")
        #expect(own.total(.error) == others.total(.error) + 1)
        #expect(own.counts[.customRule] == 2)
    }

    @Test func rulesOfFindingsHoldForThemToo() async throws {
        let findings = try await Dae.inspect(.path(Self.walker), options: Self.options(validates: false)).findings
        var rules = FindingRules()
        rules.ignored = [.customRule]
        #expect(rules.applied(to: findings).counts[.customRule] == nil)
    }

    @Test func meshesHaveTheirNumbersInALoad() async throws {
        let seen = Mutex<[Int]>([])
        var options = Dae.Options()
        options.rules = [
            { scene, _ in
                seen.withLock { $0 += scene.geometries.map { $0.positions.count } }
                return []
            }
        ]
        _ = try await Dae.load(.path(Self.walker), options: options)
        #expect(seen.withLock { $0 }.contains { $0 > 0 })
    }

    @Test func aRuleThatFindsEndlesslyIsCountedAndNotKept() async throws {
        var options = Dae.Options()
        options.rules = [{ _, _ in (0..<5000).map { Finding(rule: "acme/many", "number \($0)") } }]
        let findings = try await Dae.inspect(.path(Self.walker), options: options).findings
        #expect(findings.counts[.customRule] == 5000)
        #expect(findings.findings.count { $0.code == .customRule } == 100)
    }
}

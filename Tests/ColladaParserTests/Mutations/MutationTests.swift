import ColladaParser
import Diagnostics
import SceneModel
import TestSupport
import Testing

/// Every attribute and every reference of a document that has all kinds of them, broken one at a time.
@Suite struct MutationTests {
    private static let documents = ["rich-1.4", "rich-1.5"]

    @Test(arguments: documents)
    func theDocumentIsWithoutFindings(name: String) throws {
        let outcome = Outcome(try Repository.fixture("documents/\(name).dae"))
        #expect(outcome.failure == nil)
        #expect(outcome.findings.isEmpty, "\(outcome.findings)")
        #expect(SceneCensus(of: outcome.scene).nodes == 6)
        #expect(outcome.scene.animations.last?.channels.count == 6)
    }

    @Test func whatIsBrokenIsToldAndNothingElseChanges() throws {
        var silent: Set<String> = []
        var elsewhere: Set<String> = []
        var mutations = 0
        for name in Self.documents {
            let scan = MarkupScan(try Repository.fixture("documents/\(name).dae"))
            let units = DocumentUnits(scan)
            let whole = Outcome(scan.bytes)
            for mutation in scan.sites.flatMap({ Mutation.all(of: $0, in: scan) }) {
                mutations += 1
                let what = mutation.description(in: scan)
                let line = scan.elements[mutation.site.element].line
                let outcome = Outcome(mutation.bytes(of: scan))
                guard outcome.failure == nil else {
                    Issue.record("\(name):\(line) \(what): \(outcome.failure?.message ?? "")")
                    continue
                }
                switch telling(of: mutation, outcome.findings, scan, units) {
                case .atElement: break
                case .elsewhere: elsewhere.insert(what)
                case .silent: silent.insert(what)
                }
                guard let differences = units.differences(outcome.scene, whole.scene) else {
                    Issue.record("\(name):\(line) \(what): parts of the scene are lost")
                    continue
                }
                let strangers = differences.subtracting(units.dependents(of: mutation)).map { units.name($0) }
                #expect(strangers.isEmpty, "\(name):\(line) \(what): \(strangers.sorted()) changed too")
            }
        }
        #expect(mutations > 2000)
        #expect(silent.subtracting(Self.silent).sorted() == [])
        #expect(Self.silent.subtracting(silent).sorted() == [])
        #expect(elsewhere.subtracting(Self.elsewhere).sorted() == [])
        #expect(Self.elsewhere.subtracting(elsewhere).sorted() == [])
    }

    // MARK: - What is told

    private enum Telling {
        /// At the element, one around it, or one that refers to it.
        case atElement
        case elsewhere
        case silent
    }

    private func telling(
        of mutation: Mutation, _ findings: [Finding], _ scan: MarkupScan, _ units: DocumentUnits
    ) -> Telling {
        var lines = Set(scan.lineage(of: mutation.site.element).map { scan.elements[$0].line })
        let old = scan.text(mutation.site)
        switch mutation.site.kind {
        case .attribute("id"), .attribute("sid"):
            // What refers to it is told; where nothing does, there is nothing to tell.
            lines.formUnion(units.lines(using: old))
            if mutation.change != .duplicated, !units.isUsed(old) { return .atElement }
            if let new = mutation.value {
                for element in scan.elements where element.id == new { lines.insert(element.line) }
            }
        case .attribute, .text: break
        }
        guard !findings.isEmpty else { return .silent }
        return findings.contains { $0.place.line.map { lines.contains($0) } ?? false } ? .atElement : .elsewhere
    }

    private static let silent: Set<String> = []
    private static let elsewhere: Set<String> = []
}

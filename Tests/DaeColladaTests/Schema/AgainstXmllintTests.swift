// The verdict of the check to the letter on whole documents against that of libxml2's schema validation.

import DaeCollada
import DaeSchema
import TestSupport
import Testing

@Suite(
    .enabled(
        if: Repository.schemas != nil && Program.isInstalled("xmllint"),
        "xmllint, or the schemas of Khronos, are not here; put the schemas beside the checkout or name their folder in DAE_SCHEMAS"
    ))
struct AgainstXmllintTests {
    private static let isFull = Repository.environment("DAE_TEST_FULL") != nil

    private struct Case {
        let path: String
        let description: String
        let bytes: [UInt8]
    }

    /// Holds both verdicts on each against each other; gives how many are valid, and how many are not.
    private func compare(_ cases: [Case]) throws -> (valid: Int, invalid: Int) {
        let schemas = try #require(Repository.schemas)
        var counts = (valid: 0, invalid: 0)
        for version in SchemaVersion.allCases {
            let some = cases.filter { Xmllint.version(of: $0.bytes) == version }
            let verdicts = try Xmllint.verdicts(of: some.map(\.path), version, schemas: schemas)
            for one in some {
                guard let isValid = verdicts[one.path] else { continue }
                let faults: [String]
                do { faults = try SchemaVerdict.faults(in: one.bytes) } catch { continue }
                if isValid { counts.valid += 1 } else { counts.invalid += 1 }
                if isValid, !faults.isEmpty, faults.allSatisfy({ $0.contains(Self.emptyPass) }) { continue }
                if !isValid, faults.isEmpty, Self.hasPaddedDate(one.bytes) { continue }
                #expect(
                    faults.isEmpty == isValid,
                    "\(one.description) is \(isValid ? "valid" : "invalid"); found: \(faults.prefix(3))")
            }
        }
        return counts
    }

    @Test func theDocumentsOfTheFixturesAreValidForBothOrForNeither() throws {
        let names = Repository.fixtureNames(in: "documents").filter { $0.hasSuffix(".dae") && !$0.hasPrefix("fails-") }
        let counts = try compare(
            names.map {
                Case(
                    path: Repository.fixtures + "/documents/" + $0, description: $0,
                    bytes: try Repository.fixture("documents/" + $0))
            })
        #expect(counts.valid > 30 && counts.invalid > 10, "\(counts)")
    }

    @Test func spoiledDocumentsAreValidForBothOrForNeither() throws {
        let trees = try Repository.fixtureNames(in: "documents").filter { $0.hasSuffix(".dae") }.compactMap {
            let bytes = try Repository.fixture("documents/" + $0)
            return Self.unfit.contains($0) ? nil : MarkupTree(bytes).map { tree in (tree, bytes) }?.0
        }
        var dice = Dice(seed: 7)
        let folder = try TemporaryFolder()
        var cases: [Case] = []
        while cases.count < (Self.isFull ? 2500 : 200) {
            guard let spoiled = SchemaMutation(of: dice.pick(trees), by: &dice) else { continue }
            cases.append(
                Case(
                    path: try folder.write(spoiled.bytes, to: "\(cases.count).dae"),
                    description: "\(cases.count): \(spoiled.description)", bytes: spoiled.bytes))
        }
        let counts = try compare(cases)
        #expect(counts.valid > cases.count / 10 && counts.invalid > cases.count / 2, "\(counts)")
        #expect(counts.valid + counts.invalid > cases.count * 9 / 10)
    }

    /// Not read by both: what fails, what xmllint cannot decode, and what is held against no schema.
    private static let unfit: Set<String> = [
        "no-namespace.dae", "other-namespace.dae", "version-1.3.dae", "encoding-wrong.dae",
        "encoding-utf-16-unmarked.dae",
        "doctype-ignored.dae",
    ]

    @Test(.enabled(if: Repository.corpus != nil, "the corpus of real models is not here"))
    func theDocumentsOfTheCorpusAreValidForBothOrForNeither() throws {
        let corpus = try #require(Repository.corpus)
        let paths = try Repository.table(corpus + "/MANIFEST.tsv").compactMap { $0["path"] }
        // A part of them in every run: the smaller ones.
        let cases: [Case] = try paths.filter { $0.lowercased().hasSuffix(".dae") }.compactMap { path in
            let bytes = try Repository.bytes(at: corpus + "/" + path)
            guard Self.isFull || bytes.count < 20_000 else { return nil }
            return Case(path: corpus + "/" + path, description: path, bytes: bytes)
        }
        let counts = try compare(cases)
        #expect(counts.valid > 50 && counts.invalid > 20, "\(counts)")
    }

    /// The first difference: a `<pass>` of GLSL or Cg holds one state at least, by a choice of a group that may come again
    /// and again. libxml2 takes such a choice for one that may be left out.
    private static let emptyPass = "<pass> has none of"

    /// The second difference: the white space around a date collapses to nothing (XML Schema part 2, 4.3.6). libxml2
    /// refuses it before a date, and behind one without a time zone.
    private static func hasPaddedDate(_ bytes: [UInt8]) -> Bool {
        let blank = "(?:[ \\t\\r\\n]|&#32;)"
        guard let padded = try? Regex("<(?:created|modified)>(?:\(blank)+[^<]*|[^<]*[0-9]\(blank)+)</") else {
            return false
        }
        return String(decoding: bytes, as: UTF8.self).contains(padded)
    }
}

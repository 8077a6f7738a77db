// What the suite's own scripts say of pairs of its documents: that their pictures are the same, or are not. What does
// not hold stands in `Fixtures/corpus/relations.tsv` with the specification's reason; any other exception fails, and so
// does one that is no longer needed.

import Daedalus
import TestSupport
import Testing

@Suite(.enabled(if: ConformanceSuite.isHere, ConformanceSuite.absence))
struct RelationTests {
    /// Seconds at which two scenes are held against each other.
    private static let times = [0, 0.5, 1, 1.5, 2]

    @Test(arguments: Relation.all)
    func pairsDrawTheSameOrNot(_ relation: Relation) throws {
        let differences = try Self.differences(relation)
        switch (relation.kind, Relation.exceptions[relation.key]) {
        case (.equals, nil): #expect(differences.isEmpty, "must draw the same")
        case (.differs, nil): #expect(!differences.isEmpty, "must not draw the same")
        case (.equals, let exception?):
            #expect(!differences.isEmpty, "draws the same by now, take it from the list: \(exception.reason)")
            let others = differences.filter { !$0.hasPrefix(exception.part) }
            #expect(others.isEmpty, "must draw the same but for its \(exception.part)")
        case (.differs, let exception?):
            #expect(differences.isEmpty, "differs by now, take it from the list: \(exception.reason)")
        }
    }

    @Test func everyRelationIsHere() {
        #expect(Relation.all.count == 91)
        #expect(Relation.all.count { $0.kind == .equals } == 67)
        #expect(Set(Relation.exceptions.keys).isSubset(of: Set(Relation.all.map(\.key))))
        #expect(Relation.exceptions.values.allSatisfy { $0.reason.hasPrefix("COLLADA 1.") })
    }

    private static func differences(_ relation: Relation) throws -> [String] {
        var one = SceneFlattener(try ConformanceReading(relation.document))
        var other = SceneFlattener(try ConformanceReading(relation.reference))
        for time in one.isAnimated || other.isAnimated ? times : [0] {
            let comparison = FlatComparison(one.flatten(at: time), other.flatten(at: time))
            if !comparison.differences.isEmpty { return comparison.differences.map { "\($0) at \(time) s" } }
        }
        return []
    }
}

/// A row of the corpus's table.
struct Relation: Sendable, Hashable, CustomTestStringConvertible {
    enum Kind: String {
        case equals, differs
    }
    let document: String
    let kind: Kind
    let reference: String

    var key: String { "\(document) \(kind.rawValue) \(reference)" }
    var testDescription: String { key }

    static let all: [Relation] = rows(Repository.corpus.map { $0 + "/RELATIONS.tsv" }).compactMap { row in
        guard let document = row["document"], let kind = row["relation"].flatMap(Kind.init(rawValue:)),
            let reference = row["reference"]
        else { return nil }
        return Relation(document: below(document), kind: kind, reference: below(reference))
    }

    /// Why a relation does not hold.
    struct Exception {
        /// What alone differs: `surface`, `lines`, `shape`, `light` or `camera`.
        let part: String
        /// The specification's.
        let reason: String
    }

    /// By the relation's key.
    static let exceptions: [String: Exception] = Dictionary(
        uniqueKeysWithValues: rows(Repository.fixtures + "/corpus/relations.tsv").compactMap { row in
            guard let document = row["document"], let kind = row["relation"], let reference = row["reference"],
                let part = row["part"], let reason = row["reason"]
            else { return nil }
            return ("\(document) \(kind) \(reference)", Exception(part: part, reason: reason))
        })

    private static func rows(_ path: String?) -> [[String: String]] {
        path.flatMap { try? Repository.table($0) } ?? []
    }

    private static func below(_ path: String) -> String {
        String(path.dropFirst(ConformanceSuite.name.count + 1))
    }
}

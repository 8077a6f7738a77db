import Testing

@testable import DaeDiagnostics

@Suite struct FindingLogTests {
    @Test func beyondTheCapFindingsAreCountedAndNotKeptNorMade() {
        var log = FindingLog(capPerCode: 3)
        var made = 0
        func message() -> String {
            made += 1
            return "a message"
        }
        for _ in 0..<10 { log.add(.refUnresolved, message()) }
        log.add(.assetMissing, "another code has a cap of its own")
        #expect(log.findings.count == 4)
        #expect(made == 3)
        #expect(log.counts == [.refUnresolved: 10, .assetMissing: 1])
        #expect(log.suppressed(.refUnresolved) == 7)
        #expect((log.total(.error), log.total(.warning), log.total(.info)) == (10, 1, 0))
    }

    @Test func furtherOnesAreCountedAtOnce() {
        var log = FindingLog()
        log.count(.imageNotFound, times: 7)
        log.count(.imageNotFound)
        log.count(.refUnresolved, times: 0)
        #expect(log.findings.isEmpty)
        #expect(log.counts == [.imageNotFound: 8])
        #expect(log.totals == [FindingCode.imageNotFound.severity: 8])
    }

    @Test func aSeverityThatIsGivenCountsInsteadOfTheCodesOwn() {
        var log = FindingLog()
        log.add(.refUnresolved, "a light is missing", severity: .warning)
        #expect(log.findings.first?.severity == .warning)
        #expect((log.total(.error), log.total(.warning)) == (0, 1))
    }

    @Test func mergingPutsPlacesIntoTheEntryAndKeepsTheSums() {
        var inner = FindingLog(capPerCode: 2)
        for line in 1...5 { inner.add(.idDuplicate, at: Place(line: line), "twice", related: [Place(line: 9)]) }
        inner.add(.idDuplicate, at: Place(entry: "b.dae", line: 1), "elsewhere")
        var log = FindingLog()
        log.merge(inner, entry: "a.dae")
        #expect(log.findings.map(\.place.entry) == ["a.dae", "a.dae"])
        #expect(log.findings.first?.related == [Place(entry: "a.dae", line: 9)])
        #expect(log.counts[.idDuplicate] == 6)
        #expect(log.total(.error) == 6)
    }

    @Test func everyCodeHasATextAndAStableSpelling() {
        for code in FindingCode.allCases {
            #expect(code.rawValue.allSatisfy { $0.isUppercase || $0.isNumber || $0 == "_" }, "\(code)")
            #expect(code.title.count > 10 && !code.title.hasSuffix("."), "\(code)")
        }
        #expect(Set(FindingCode.allCases.map(\.rawValue)).count == FindingCode.allCases.count)
    }

    @Test func milderSeveritiesAreLess() {
        #expect(Severity.allCases == Severity.allCases.sorted(by: >))
        #expect(Severity.hint < .error)
    }
}

@Suite struct PlaceTests {
    @Test(arguments: [
        (Place(), ""), (Place(entry: "a.dae"), "a.dae"), (Place(entry: "a.dae", line: 3), "a.dae:3"),
        (Place(entry: "a.dae", line: 3, column: 7), "a.dae:3:7"), (Place(line: 3, column: 7), "3:7"),
        (Place(column: 7), ""),
    ])
    func aPlaceReadsLikeACompilersOwn(place: Place, text: String) {
        #expect(place.description == text)
    }
}

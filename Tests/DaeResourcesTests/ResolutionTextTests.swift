import DaeDiagnostics
import DaeResources
import TestSupport
import Testing

@Suite struct ResolutionTextTests {
    @Test func theTraceReadsLineByLine() {
        #expect(
            resolve("../../t/x%20y.png", "u/X y.png").description == """
                ../../t/x%20y.png: found u/X y.png by its name alone (baseName, guess)
                  exact                     outside  ../../t/x%20y.png
                  percentDecoded            outside  ../../t/x y.png
                  bundleRoot                outside  ../../t/x%20y.png
                  bundleRootPercentDecoded  outside  ../../t/x y.png
                  siblingFolder             miss     models/{textures,images,materials/textures,maps}/x%20y.png
                  siblingFolder             miss     {textures,images,materials/textures,maps}/x%20y.png
                  siblingFolder             miss     models/{textures,images,materials/textures,maps}/x y.png
                  siblingFolder             miss     {textures,images,materials/textures,maps}/x y.png
                  resourceBundle            miss     x%20y.png
                  baseName                  miss     x%20y.png
                  baseName                  miss     x y.png
                  baseName                  hit      u/X y.png
                """)
        #expect(
            resolve("x.png", "t/x.png", "u/x.png", from: "a.dae", as: .document).description == """
                x.png: ambiguous, 2 files fit by its name alone (baseName): t/x.png, u/x.png
                  exact           miss     x.png
                  resourceBundle  miss     x.png
                  baseName        2 files  x.png
                """)
        #expect(resolve("a\u{1B}b").description == #"a\u{1b}b: blocked, it holds a control character"#)
        #expect(resolve("data:image/png,x").description == "data:image/png,x: embedded image/png")
    }

    @Test func theReportHasEveryKeyWhateverTheOutcome() throws {
        let outcomes = [
            resolve("x.png", "models/x.png"), resolve("x.png"), resolve("x", "t/x", "u/x"), resolve("../../x"),
            resolve("http://example.org/x"), resolve("data:image/png,x"), resolve("package://p/x.png"),
            resolve("t/", "models/t/x.png"),
        ]
        let keys: Set<String> = [
            "reference", "absolute", "status", "path", "outside", "root", "rule", "confidence", "url", "mediaType",
            "reason", "candidates", "count", "trace",
        ]
        for resolution in outcomes {
            guard case .object(let members) = resolution.json else {
                Issue.record("no object")
                continue
            }
            #expect(Set(members.keys) == keys)
            #expect(members["status"] == .string(resolution.status.rawValue))
        }
        #expect(
            resolve("f/x.png", "t/x.png", "u/x.png", from: "a.dae", as: .document).json.text(.compact)
                == Array(
                    #"{"absolute":false,"candidates":["t/x.png","u/x.png"],"confidence":null,"count":2,"mediaType":null,"outside":false,"path":null,"reason":null,"reference":"f/x.png","root":null,"rule":"baseName","status":"ambiguous","trace":[{"count":null,"folder":null,"path":"f/x.png","result":"miss","rule":"exact"},{"count":null,"folder":null,"path":"x.png","result":"miss","rule":"ancestorSuffix"},{"count":null,"folder":null,"path":"x.png","result":"miss","rule":"resourceBundle"},{"count":2,"folder":null,"path":"x.png","result":"several","rule":"baseName"}],"url":null}"#
                        .utf8))
    }

    @Test func theSchemaNamesEveryRule() throws {
        let schema = try JSONNode(parsing: Repository.fixture("schema/resolve.schema.json"))
        let rules = ResolutionRule.allCases.map(\.rawValue)
        let candidate = schema["$defs"]?["candidate"]?["properties"]?["rule"]?["enum"]
        #expect(candidate?.elements.compactMap(\.string) == rules)
        let reference = schema["$defs"]?["reference"]?["properties"]?["rule"]?["enum"]
        #expect(reference?.elements == candidate.map { $0.elements + [.null] })
    }

    @Test func aLongReferenceIsCutWhereItIsShown() throws {
        let long = String(repeating: "x", count: 5_000)
        #expect(resolve(long).description.split(separator: "\n").allSatisfy { $0.count < 260 })
        #expect(try #require(resolve(long).imageFindings().first).message.count < 300)
        #expect(resolve(long).reference == long)
    }

    @Test func eachStatusIsAWordOfTheReport() {
        #expect(
            Set(Resolution.Status.allCases.map(\.rawValue)) == [
                "found", "missing", "embedded", "blocked", "ambiguous", "remote",
            ])
        #expect(resolve("x.png", "models/x.png").status == .found)
        #expect(resolve("x.png").status == .missing)
        #expect(resolve("data:,").status == .embedded)
        #expect(resolve("../../x").status == .blocked)
        #expect(resolve("x", "t/x", "u/x").status == .ambiguous)
        #expect(resolve("http://example.org/x").status == .remote)
    }

    @Test func eachOutcomeHasItsFinding() {
        func codes(_ resolution: Resolution) -> [FindingCode] { resolution.imageFindings().map(\.code) }
        #expect(codes(resolve("x%20y.png", "models/x y.png")) == [])
        #expect(codes(resolve("data:,")) == [])
        #expect(codes(resolve("http://example.org/x")) == [])
        #expect(codes(resolve(" ")) == [.imageEmptyURI])
        #expect(codes(resolve("x.png")) == [.imageNotFound])
        #expect(codes(resolve("x.png", "x.png")) == [.imageFoundByFallback])
        #expect(codes(resolve("x", "t/x", "u/x")) == [.imageAmbiguous])
        #expect(codes(resolve("../../x")) == [.resourceEscapesRoot])
        #expect(codes(resolve("a\0b")) == [.imageNotFound])
        #expect(codes(resolve("C:/x.png", "models/x.png")) == [.imageURIAbsolute, .imageFoundByFallback])
        #expect(codes(resolve("C:/x.png")) == [.imageURIAbsolute, .imageNotFound])
    }

    @Test func aFindingCarriesItsPlaceAndItsValues() throws {
        let place = Place(entry: "models/a.dae", line: 12)
        let finding = try #require(resolve("f/x.png", "t/x.png").imageFindings(at: place).first)
        #expect(finding.place == place)
        #expect(finding.message == "f/x.png was found as t/x.png (baseName)")
        #expect(
            finding.arguments == [
                .init("reference", "f/x.png"), .init("path", "t/x.png"), .init("rule", "baseName"),
                .init("confidence", "likely"),
            ])
    }
}

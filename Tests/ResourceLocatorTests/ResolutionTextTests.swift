import Diagnostics
import ResourceLocator
import Testing

@Suite struct ResolutionTextTests {
    private func resolve(_ reference: String, _ files: String...) -> Resolution {
        ResourceLocator(container: ResourceList(files)).resolve(reference, from: "models/a.dae")
    }

    @Test func theTraceReadsLineByLine() {
        #expect(
            resolve("../../t/x%20y.png", "u/x y.png").description == """
                ../../t/x%20y.png: found u/x y.png (baseName, likely)
                  exact                     outside  ../../t/x%20y.png
                  percentDecoded            outside  ../../t/x y.png
                  bundleRoot                outside  ../../t/x%20y.png
                  bundleRootPercentDecoded  outside  ../../t/x y.png
                  baseName                  miss     x%20y.png
                  baseName                  hit      u/x y.png
                """)
        #expect(
            resolve("f/x.png", "t/x.png", "u/x.png").description == """
                f/x.png: ambiguous, 2 files fit (baseName): t/x.png, u/x.png
                  exact                     miss     models/f/x.png
                  bundleRoot                miss     f/x.png
                  baseName                  2 files  x.png
                """)
        #expect(resolve("a\u{1B}b").description == #"a\u{1b}b: blocked, it holds a control character"#)
        #expect(resolve("data:image/png,x").description == "data:image/png,x: embedded image/png")
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

import Daedalus
import TestSupport
import Testing

@Suite(.enabled(if: ConformanceSuite.isHere, ConformanceSuite.absence))
struct CoverageTests {
    private static let families: [ConformanceFamily] = [
        animationFamily, assetFamily, brepFamily, cameraAndLightFamily, controllerFamily, effectFamily, geometryFamily,
        kinematicsFamily, nestedAssetFamily, referenceFamily, visualSceneFamily,
    ]

    @Test func everyDocumentOfTheSuiteIsACaseOnce() throws {
        let onDisk = try Repository.files(below: ConformanceSuite.folder).filter {
            $0.hasSuffix(".dae") || $0.hasSuffix(".zae")
        }
        let cases = Self.families.joined().joined().map(\.path)
        #expect(Set(onDisk).subtracting(cases).sorted() == [], "documents without a case")
        #expect(Set(cases).subtracting(onDisk).sorted() == [], "cases without a document")
        #expect(cases.count == Set(cases).count, "documents with two cases")
        #expect(onDisk.count == 303)
    }
}

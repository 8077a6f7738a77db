import DaeArchive
import DaeCollada
import DaeDiagnostics
import DaePipeline
import TestSupport
import Testing

/// What is mended, and told, is a fault where nothing is to be mended.
@Suite struct StrictReadingTests {
    struct Repair: Sendable, CustomTestStringConvertible {
        /// Below `Fixtures/rules`.
        let fixture: String
        let told: FindingCode
        /// What is told instead where nothing is mended.
        let fault: FindingCode

        /// - Parameter fixture: Where it is not that of the code.
        init(_ told: FindingCode, _ fault: FindingCode, in fixture: String? = nil) {
            self.told = told
            self.fault = fault
            self.fixture = fixture ?? told.rawValue + ".dae"
        }

        var testDescription: String { fixture }
    }

    static let repairs: [Repair] = [
        Repair(.quirkUpAxisCase, .schemaInvalidEnum), Repair(.quirkColorWithoutAlpha, .schemaListLength),
        Repair(.quirkSeveralIndexLists, .primitiveCountMismatch), Repair(.quirkBooleanCase, .schemaInvalidEnum),
        Repair(.quirkShapeRadius, .schemaListLength), Repair(.quirkTargetHash, .animationTargetUnresolved),
        Repair(.quirkTargetByElement, .animationTargetUnresolved),
        Repair(.quirkTargetMember, .animationTargetMemberInvalid), Repair(.quirkIDHash, .skinJointUnresolved),
        Repair(.quirkSketchUpLinesCount, .primitiveCountMismatch),
        Repair(.quirkMatrixStride, .accessorStrideTooSmall), Repair(.quirkPositionInPrimitive, .inputNoPosition),
        Repair(.quirkTextureDirectSurface, .textureSamplerUnresolved),
        Repair(.quirkSamplerDirectImage, .textureSurfaceUnresolved),
        Repair(.quirkManifestBackslash, .zaeRootNotFound, in: "QUIRK_MANIFEST_BACKSLASH.zae"),
        // Repairs that codes of other rules tell.
        Repair(.numberDecimalComma, .schemaInvalidNumber), Repair(.textureDirectImage, .textureSamplerUnresolved),
        Repair(.refMissingHash, .refUnresolved), Repair(.refByName, .refUnresolved),
        Repair(.skinJointNameSpaces, .skinJointUnresolved), Repair(.imageFoundByFallback, .imageNotFound),
    ]

    @Test(arguments: repairs)
    func whatIsNotMendedIsAFault(_ repair: Repair) {
        let mended = codes(repair, .made)
        #expect(mended.contains(repair.told) && !mended.contains(repair.fault), "\(mended)")
        let strict = codes(repair, .refused)
        #expect(strict.contains(repair.fault) && !strict.contains(repair.told), "\(strict)")
    }

    @Test func everyRepairThatCanBeLeftOutIsInTheTable() {
        let quirks = FindingCode.allCases.filter { $0.rawValue.hasPrefix("QUIRK_") }
        // Without folders nothing of such an archive could be found; it is told in either case.
        #expect(Set(quirks).subtracting(Self.repairs.map(\.told)) == [.quirkEntryBackslash])
    }

    /// What has no repair is the same whether or not repairs are made.
    @Test(arguments: repairs)
    func whatIsWrittenWellIsReadAllTheSame(_ repair: Repair) {
        let near = repair.fixture.replacing(".", with: ".near.", maxReplacements: 1)
        let outcome = Outcome(path: "\(Repository.fixtures)/rules/\(near)", input: near)
        let strict = Outcome(path: "\(Repository.fixtures)/rules/\(near)", input: near, repairs: .refused)
        #expect(outcome.json == strict.json)
    }

    private func codes(_ repair: Repair, _ repairs: ColladaOptions.Repairs) -> Set<FindingCode> {
        let path = "\(Repository.fixtures)/rules/\(repair.fixture)"
        return Outcome(path: path, input: repair.fixture, repairs: repairs).codes
    }
}

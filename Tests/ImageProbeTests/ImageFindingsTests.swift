import Diagnostics
import ImageProbe
import Testing

@Suite struct ImageFindingsTests {
    @Test func aFormatIsKnownByAnyOfItsExtensionsInAnyCase() {
        for format in ImageFormat.allCases {
            for ending in format.extensions {
                #expect(ImageFormat(fileName: "a.b/c.\(ending)") == format)
                #expect(ImageFormat(fileName: "C.\(ending.uppercased())") == format)
            }
        }
        #expect(ImageFormat(fileName: "png") == nil)
        #expect(ImageFormat(fileName: "a.png/b") == nil)
        #expect(ImageFormat(fileName: "a.") == nil)
        #expect(ImageFormat(fileName: "") == nil)
    }

    @Test func noTwoFormatsShareAnExtensionOrMediaType() {
        let endings = ImageFormat.allCases.flatMap(\.extensions)
        #expect(Set(endings).count == endings.count)
        #expect(Set(ImageFormat.allCases.map(\.mediaType)).count == ImageFormat.allCases.count)
    }

    @Test func aSoundImageUnderItsOwnNameGivesNoFinding() {
        let result = ImageProbe.probe(SampleImages.jpeg(width: 2, height: 2))
        #expect(result.findings(name: "a.JPEG").isEmpty)
        #expect(result.findings(name: "a").isEmpty)
    }

    @Test func contentThatTheExtensionDoesNotPromiseIsTold() throws {
        let place = Place(entry: "textures/a.jpg")
        let findings = ImageProbe.probe(SampleImages.png(width: 2, height: 2)).findings(name: "a.jpg", at: place)
        let finding = try #require(findings.first)
        #expect(findings.count == 1)
        #expect(finding.code == .imageExtensionMismatch)
        #expect(finding.place == place)
        #expect(finding.message == "a.jpg holds png, its name says jpeg")
    }

    @Test func aHeaderThatCannotBeReadIsTold() {
        let results: [ImageProbeResult] = [
            .truncated(.png), .outOfReach(.png), .invalid(.png, .zeroSize), .empty, .unrecognised,
        ]
        for result in results {
            #expect(result.findings(name: "a.png").map(\.code) == [.imageDataInvalid])
        }
        #expect(
            ImageProbeResult.truncated(.jpeg).findings(name: "a.png").map(\.code)
                == [.imageDataInvalid, .imageExtensionMismatch])
    }

    @Test func aFileWithoutMagicIsNoFindingWhereItsNamePromisesNone() {
        #expect(ImageProbeResult.unrecognised.findings(name: "a.tga").isEmpty)
        #expect(ImageProbeResult.unrecognised.findings(name: "a.bin").isEmpty)
    }
}

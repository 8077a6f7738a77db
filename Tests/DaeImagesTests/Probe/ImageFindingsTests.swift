import DaeDiagnostics
import DaeImages
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
            .outOfReach(.png), .invalid(.png, .zeroSize), .empty, .unrecognised,
        ]
        for result in results {
            #expect(result.findings(name: "a.png").map(\.code) == [.imageDataInvalid])
        }
        #expect(
            ImageProbeResult.truncated(.jpeg).findings(name: "a.png").map(\.code)
                == [.imageTruncated, .imageExtensionMismatch])
    }

    @Test func aHeaderThatIsCutShortIsNotCalledBroken() {
        let findings = ImageProbeResult.truncated(.png).findings(name: "a.png")
        #expect(findings.map(\.code) == [.imageTruncated])
        #expect(findings.map(\.message) == ["a.png: the file is cut short inside the header of a png"])
    }

    @Test func theReachThatWasNotEnoughIsThatOfTheFormat() {
        let messages = [ImageFormat.jpeg, .tiff].flatMap { ImageProbeResult.outOfReach($0).findings(name: "a") }
            .map(\.message)
        #expect(messages.first?.contains("first 1048576 bytes of a jpeg") == true)
        #expect(messages.last?.contains("first 67108864 bytes of a tiff") == true)
    }

    @Test func aFileWithoutMagicIsNoFindingWhereItsNamePromisesNone() {
        #expect(ImageProbeResult.unrecognised.findings(name: "a.tga").isEmpty)
        #expect(ImageProbeResult.unrecognised.findings(name: "a.bin").isEmpty)
    }
}

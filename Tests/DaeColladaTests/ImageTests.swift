import DaeCollada
import DaeDiagnostics
import DaeScene
import DaeXML
import Testing

/// Embedded bytes, and the images of 1.5 that are made of several.
@Suite struct ImageTests {
    private func image(
        _ text: String, attributes: String = "", retention: ColladaOptions.Retention = .everything,
        textBytes: Int = 1 << 20
    ) -> Outcome {
        var document = Document.version15
        document.body = "<library_images><image id='i'\(attributes)>\(text)</image></library_images>"
        var options = ColladaOptions()
        options.retention = retention
        options.limits.textBytes = textBytes
        return Outcome(document.text, options: options)
    }

    private static let hexes: [(String, [UInt8], [FindingCode])] = [
        ("00ff7F", [0, 255, 127], []), (" 8 9\n50 4e\t47 ", [0x89, 0x50, 0x4E, 0x47], []), ("", [], []),
        ("0", [], [.imageDataInvalid]), ("12 3", [0x12], [.imageDataInvalid]),
        ("0x12", [0x01], [.imageDataInvalid]), ("zz12-34", [0x12, 0x34], [.imageDataInvalid]),
        ("<!-- 11 -->22", [0x22], []), ("12<p>34</p>56", [0x12, 0x56], []),
    ]

    @Test(arguments: hexes.indices)
    func hexadecimalDigitsAreBytes(index: Int) {
        let (text, bytes, codes) = Self.hexes[index]
        for holder in ["<data>\(text)</data>", "<init_from><hex format='PNG'>\(text)</hex></init_from>"] {
            let outcome = image(holder, attributes: holder.hasPrefix("<data>") ? " format='PNG'" : "")
            #expect(
                outcome.scene.images.first?.content == .embedded(.init(format: "PNG", content: .bytes(bytes))),
                "\(text)")
            #expect(outcome.codes == codes, "\(text): \(outcome.findings)")
        }
    }

    @Test func bytesAreDecodedAcrossChunks() {
        let document =
            "<COLLADA version='1.5.0' xmlns='http://www.collada.org/2008/03/COLLADASchema'><asset/><library_images><image id='i'><init_from><hex format='X'>0123456789abcdef</hex></init_from></image></library_images></COLLADA>"
        let whole = Outcome(document)
        for size in [1, 2, 3, 7] {
            let cut = Outcome(Array(document.utf8), chunk: size)
            #expect(cut.scene.images == whole.scene.images)
        }
        #expect(
            whole.scene.images.first?.content
                == .embedded(.init(format: "X", content: .bytes([0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF]))))
    }

    @Test func figuresOnlyCountTheBytes() {
        let outcome = image("<init_from><hex format='PNG'>00112233</hex></init_from>", retention: .figures)
        #expect(outcome.scene.images.first?.content == .embedded(.init(format: "PNG", content: .counted(4))))
        #expect(outcome.findings.isEmpty)
    }

    /// An image beyond the budget is lost alone.
    @Test func moreThanTheBudgetIsCountedAndTold() {
        let large = String(repeating: "ab", count: 5000)
        let outcome = image("<init_from><hex format='PNG'>\(large)</hex></init_from>", textBytes: 4096)
        #expect(outcome.failure == nil)
        #expect(outcome.scene.images.first?.content == .embedded(.init(format: "PNG", content: .counted(5000))))
        #expect(outcome.codes == [.imageTooLarge])
        #expect(!outcome.scene.roots.isEmpty)
    }

    // MARK: - Parts

    @Test func theSidesOfACubeAreKept() {
        let sides = ImagePart.Face.allCases.enumerated().map { index, face in
            "<init_from face='\(face.rawValue)' mip_index='0' array_index='\(index / 3)'><ref>\(index).png</ref></init_from>"
        }
        let outcome = image(
            "<create_cube><size width='4'/><mips levels='0' auto_generate='1'/>\(sides.joined())</create_cube>")
        let image = outcome.scene.images.first
        #expect(image?.shape == .cube)
        #expect(image?.content == .reference("0.png"))
        #expect(
            image?.parts
                == ImagePart.Face.allCases.enumerated().map { index, face in
                    ImagePart(face: face, mip: 0, arrayIndex: index / 3, content: .reference("\(index).png"))
                })
        #expect(outcome.findings.isEmpty)
    }

    @Test func levelsArraysAndLayersAreKept() {
        let flat = image(
            "<create_2d><init_from mip_index='0' array_index='0'><ref>a.png</ref></init_from><init_from mip_index='1'><hex format='PNG'>ff</hex></init_from></create_2d>"
        )
        #expect(
            flat.scene.images.first?.parts == [
                ImagePart(content: .reference("a.png")),
                ImagePart(mip: 1, content: .embedded(.init(format: "PNG", content: .bytes([255])))),
            ])
        #expect(flat.scene.images.first?.shape == .flat)
        let volume = image("<create_3d><init_from depth='2' mip_index='0'><ref>a.png</ref></init_from></create_3d>")
        #expect(volume.scene.images.first?.parts == [ImagePart(depth: 2, content: .reference("a.png"))])
        #expect(volume.scene.images.first?.shape == .volume)
    }

    @Test func aSideOfAnUnknownNameIsTold() {
        let outcome = image(
            "<create_cube><init_from face='UP' mip_index='-1'><ref>a.png</ref></init_from></create_cube>")
        #expect(outcome.codes == [.schemaInvalidEnum])
        #expect(outcome.scene.images.first?.content == .reference("a.png"))
    }

    @Test func anImageWithoutASourceIsTold() {
        let outcome = image("<create_2d><size_exact width='4' height='4'/></create_2d>")
        #expect(outcome.codes == [.imageEmptyURI])
        #expect(outcome.scene.images.first?.content == ImageContent.none)
    }
}

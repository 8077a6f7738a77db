import Daedalus
import TestSupport
import Testing

/// A conversion counts the pixels of each content once, however it is used.
@Suite struct ImageBudgetTests {
    /// 4 × 4 pixels of 24 bits, all of one colour.
    private static func bitmap(_ color: [UInt8]) -> [UInt8] {
        func little(_ number: UInt32, _ count: Int = 4) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
        }
        let pixels = (0..<16).flatMap { _ in color }
        let head = little(40) + little(4) + little(4) + little(1, 2) + little(24, 2) + little(0) + little(48)
        return Array("BM".utf8) + little(54 + 48) + little(0) + little(54) + head + little(2835) + little(2835)
            + little(0) + little(0) + pixels
    }

    /// - Parameter work: Gets the images of a scene that has two files of the same content, and one of another.
    private func images(mostPixels: Int, _ work: @escaping @Sendable (ExportImages) -> Void) async throws {
        let folder = try TemporaryFolder()
        for (name, color) in [("a", [200, 0, 0] as [UInt8]), ("b", [200, 0, 0]), ("c", [9, 9, 9])] {
            try folder.write(Self.bitmap(color), to: name + ".bmp")
        }
        let list = ["a", "b", "c"].map { "<image id='\($0)'><init_from>\($0).bmp</init_from></image>" }.joined()
        let path = try folder.write(
            "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><asset><unit meter='1'/><up_axis>Z_UP</up_axis></asset><library_images>\(list)</library_images></COLLADA>",
            to: "scene.dae")
        let opened = try await LiveBundle.open(.typed(path), goal: .scene)
        try await opened.run { opened, _ in
            let product = try opened.product(try opened.choice())
            var limits = ConversionBudget.Limits()
            limits.mostPixels = mostPixels
            work(product.images(product.budget(limits)))
        }
    }

    private static func isWritten(_ content: ExportImages.Content) -> Bool {
        switch content {
        case .png, .jpeg, .recoded, .converted, .reencoded, .same: true
        case .unavailable: false
        }
    }

    private static func isPicture(_ merged: ExportImages.Merged) -> Bool {
        switch merged {
        case .file: true
        case .unavailable, .none: false
        }
    }

    private static func opacity(_ image: Int) -> Opacity.Map {
        Opacity.Map(
            texture: Material.Texture(image: SceneIndex(image), texcoord: "UV"), channel: .luminance, sense: .direct,
            factor: 1)
    }

    @Test func whatIsLookedAtMergedAndWrittenCountsOnce() async throws {
        // 16 of the content, and the pixels of what is made of it twice.
        try await images(mostPixels: 48) { images in
            #expect(images.isColored(SceneIndex(0)))
            #expect(images.isColored(SceneIndex(1)))
            #expect(Self.isPicture(images.merged(SceneIndex(0), Self.opacity(1), { false })))
            #expect(Self.isWritten(images.content(SceneIndex(0))))
            #expect(Self.isWritten(images.content(SceneIndex(1))))
            // Another content is too much then.
            #expect(!Self.isWritten(images.content(SceneIndex(2))))
        }
    }

    @Test func eachContentCountsAndIsLookedAtForItself() async throws {
        try await images(mostPixels: 32) { images in
            #expect(images.isColored(SceneIndex(0)))
            #expect(!images.isColored(SceneIndex(2)))
            #expect(Self.isWritten(images.content(SceneIndex(2))))
        }
    }

    /// Each merging makes pixels, and no scene may ask for that without end.
    @Test func whatIsMergedAgainCountsAgain() async throws {
        try await images(mostPixels: 80) { images in
            #expect(Self.isPicture(images.merged(nil, Self.opacity(0), { false })))
            #expect(Self.isPicture(images.merged(nil, Self.opacity(0), { false })))
            #expect(!Self.isPicture(images.merged(nil, Self.opacity(0), { false })))
        }
    }
}

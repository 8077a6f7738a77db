import DaeDiagnostics
import DaePipeline
import DaeRender
import DaeScene
import Testing

/// How pictures lie on surfaces.
@Suite struct TextureTests {
    private static let effect =
        "<constant><emission><texture texture=\"texture\" texcoord=\"U\"/></emission></constant>"

    /// Two pixels side by side, 0 and 200.
    private static func pair(_ u: ClosedRange<Double>, sampler: String) -> TestScene {
        var part = TestScene.Part.rectangle(-1...1, -1...1, effect: effect)
        part.texcoords = [u.lowerBound, 0, u.upperBound, 0, u.upperBound, 1, u.lowerBound, 1]
        var scene = TestScene(parts: [part])
        scene.texture = (2, 1, [0, 0, 0, 255, 200, 200, 200, 255])
        scene.sampler = sampler
        return scene
    }

    @Test(
        arguments: [
            ("WRAP", [0, 200, 0, 200, 0, 200]), ("MIRROR", [200, 0, 0, 200, 200, 0]),
            ("CLAMP", [0, 0, 0, 200, 200, 200]),
            ("BORDER", [128, 128, 0, 200, 128, 128]), ("NONE", [128, 128, 0, 200, 128, 128]),
        ] as [(String, [UInt8])])
    func beyondItsEdgesAPictureGoesOnAsTheSamplerSays(wrap: String, expected: [UInt8]) async throws {
        let scene = Self.pair(
            -1...2,
            sampler:
                "<wrap_s>\(wrap)</wrap_s><minfilter>NEAREST</minfilter><magfilter>NEAREST</magfilter><border_color>0.5 0 0 1</border_color>"
        )
        let row = try await scene.picture(size: 12).row(6)
        #expect(row == expected.flatMap { [$0, $0] })
    }

    @Test func betweenPixelsColoursAreBlended() async throws {
        let clamped = "<wrap_s>CLAMP</wrap_s><minfilter>LINEAR</minfilter><magfilter>LINEAR</magfilter>"
        #expect(
            try await Self.pair(0...1, sampler: clamped).picture(size: 8).row(3)
                == [0, 0, 25, 75, 125, 175, 200, 200])
        let wrapped = "<minfilter>LINEAR</minfilter><magfilter>LINEAR</magfilter>"
        #expect(
            try await Self.pair(0...1, sampler: wrapped).picture(size: 8).row(3)
                == [75, 25, 25, 75, 125, 175, 175, 125])
    }

    @Test func theFirstRowIsOnTop() async throws {
        var scene = Self.pair(0...1, sampler: "<magfilter>NEAREST</magfilter>")
        scene.texture = (1, 2, [255, 255, 255, 255, 10, 10, 10, 255])
        let column = try await scene.picture(size: 8).column(4)
        #expect(column == [255, 255, 255, 255, 10, 10, 10, 10])
    }

    @Test func aPictureMadeSmallIsTheMeanOfItsPixels() async throws {
        var scene = Self.pair(0...1, sampler: "<minfilter>LINEAR_MIPMAP_LINEAR</minfilter>")
        let board = (0..<64 * 64).flatMap { index -> [UInt8] in
            let value: UInt8 = (index + index / 64) % 2 == 0 ? 0 : 254
            return [value, value, value, 255]
        }
        scene.texture = (64, 64, board)
        #expect(try await scene.picture(size: 4).row(1) == [127, 127, 127, 127])
        scene.sampler = "<minfilter>NEAREST</minfilter>"
        let row = try await scene.picture(size: 4).row(1)
        #expect(row.allSatisfy { $0 == 0 || $0 == 254 })
    }

    @Test func coloursAreRightAcrossADistance() async throws {
        // A floor whose far end is nine times as far away as its near one: halfway up the picture is not half its depth.
        var part = TestScene.Part(
            positions: [-9, -1, -1, 9, -1, -1, 9, -1, -9, -9, -1, -9], triangles: [0, 1, 2, 0, 2, 3],
            texcoords: [0, 0, 1, 0, 1, 1, 0, 1])
        part.effect = Self.effect
        var scene = TestScene(parts: [part])
        scene.texture = (1, 256, (0..<256).flatMap { [UInt8($0), 0, 0, 255] })
        scene.sampler = "<minfilter>LINEAR</minfilter><magfilter>LINEAR</magfilter><wrap_t>CLAMP</wrap_t>"
        scene.optics = "<perspective><yfov>90</yfov><znear>0.1</znear><zfar>1000</zfar></perspective>"
        scene.cameraPlace = ""
        let column = try await scene.picture(size: 64).column(32)
        for y in [40, 48, 60] {
            // In the middle of the pixel the floor is so far away.
            let depth = 1 / ((Double(y) + 0.5 - 32) / 32)
            let v = (depth - 1) / 8
            let expected = (1 - v) * 256 - 0.5
            #expect(abs(Double(column[y]) - expected) < 1.01, "\(y)")
        }
    }

    @Test func withoutItsFileAMaterialIsWhiteAndAFindingSaysWhy() async throws {
        var scene = Self.pair(0...1, sampler: "")
        scene.texture = (2, 1, [0, 0, 0, 255, 200, 200, 200, 255])
        let text = scene.text().replacing("t.png", with: "gone.png")
        let model = try await Dae.load(.bytes(Array(text.utf8), name: "scene.dae"))
        var options = RenderOptions()
        (options.width, options.height, options.style) = (8, 8, .suite)
        let picture = TestPicture(made: try model.picture(options))
        #expect(picture.pixel(4, 4) == [255, 255, 255, 255])
        #expect(picture.made.findings.map(\.code) == [.imageNotFound])
    }
}

import DaeRender
import Testing

/// What a camera sees, and which one it is.
@Suite struct CameraTests {
    /// Columns and rows that are not black.
    private static func covered(_ picture: TestPicture) -> [Int] {
        let (width, height) = (picture.made.width, picture.made.height)
        let columns = (0..<width).filter { x in (0..<height).contains { picture.pixel(x, $0)[0] > 0 } }
        let rows = (0..<height).filter { y in (0..<width).contains { picture.pixel($0, y)[0] > 0 } }
        return [columns.first, columns.last, rows.first, rows.last].map { $0 ?? -1 }
    }

    /// A square of 10 units, 10 units away.
    private static func square(_ optics: String?, _ style: RenderOptions.Style = .suite) async throws -> [Int] {
        var scene = TestScene(parts: [.rectangle(-5...5, -5...5)])
        scene.optics = optics
        return covered(
            try await scene.picture(size: 16, style) {
                ($0.width, $0.height, $0.background) = (32, 16, [0, 0, 0, 1])
            })
    }

    @Test(arguments: [
        ("<perspective><xfov>90</xfov>", [8, 23, 0, 15]), ("<perspective><yfov>90</yfov>", [12, 19, 4, 11]),
        ("<perspective><xfov>90</xfov><yfov>90</yfov>", [8, 23, 4, 11]),
        ("<perspective><xfov>90</xfov><aspect_ratio>1</aspect_ratio>", [8, 23, 0, 15]),
        ("<orthographic><xmag>10</xmag>", [8, 23, 0, 15]), ("<orthographic><ymag>10</ymag>", [12, 19, 4, 11]),
        ("<orthographic><xmag>10</xmag><ymag>10</ymag>", [8, 23, 4, 11]),
    ])
    func theSideThatIsGivenRulesOnItsOwnAxis(optics: String, expected: [Int]) async throws {
        let kind = optics.contains("persp") ? "perspective" : "orthographic"
        let whole = "\(optics)<znear>1</znear><zfar>100</zfar></\(kind)>"
        #expect(try await Self.square(whole) == expected)
    }

    @Test func forViewersACircleStaysOne() async throws {
        let both = "<perspective><xfov>90</xfov><yfov>90</yfov><znear>1</znear><zfar>100</zfar></perspective>"
        #expect(try await Self.square(both, .lit) == [12, 19, 4, 11])
    }

    @Test func nothingNearerOrFartherThanTheCameraSeesIsDrawn() async throws {
        func optics(_ near: Int, _ far: Int) -> String {
            "<perspective><yfov>90</yfov><znear>\(near)</znear><zfar>\(far)</zfar></perspective>"
        }
        #expect(try await Self.square(optics(11, 100)) == [-1, -1, -1, -1])
        #expect(try await Self.square(optics(1, 9)) == [-1, -1, -1, -1])
        #expect(try await Self.square(optics(9, 11)) == [12, 19, 4, 11])
        // Who looks at a model wants to see it.
        #expect(try await Self.square(optics(11, 12), .lit) == [12, 19, 4, 11])
    }

    @Test func withoutACameraAllOfTheSceneIsShown() async throws {
        var scene = TestScene(parts: [.rectangle(-500...900, 2...7, z: 4), .rectangle(3...4, -800...100, z: -300)])
        scene.optics = nil
        for (width, height) in [(64, 64), (120, 40), (40, 120)] {
            let picture = try await scene.picture(size: 16, .lit) {
                ($0.width, $0.height, $0.background, $0.samples) = (width, height, [0, 0, 0, 1], 16)
            }
            let covered = Self.covered(picture)
            #expect(covered[0] > 0 && covered[1] < width - 1 && covered[2] > 0 && covered[3] < height - 1)
            #expect(
                max(Double(covered[1] - covered[0]) / Double(width), Double(covered[3] - covered[2]) / Double(height))
                    > 0.4)
            #expect(picture.made.camera.hasPrefix("fit"))
        }
    }

    @Test func theTemplateOfTheSuiteHasACameraAndALight() async throws {
        let grey = "<lambert><diffuse><color>0.5 0.5 0.5 1</color></diffuse></lambert>"
        // 400 centimetres away 36.9999 degrees are 267.65 of them.
        var scene = TestScene(parts: [.rectangle(-66.9...66.9, -66.9...66.9, effect: grey)])
        scene.optics = nil
        let picture = try await scene.picture()
        #expect(Self.covered(picture) == [4, 11, 4, 11])
        // The light is turned by 15 degrees.
        #expect(picture.pixel(8, 8) == [123, 123, 123, 255])
    }

    @Test func aCameraIsFoundByItsNameOrThatOfItsNode() async throws {
        let scene = TestScene(parts: [.rectangle(-1...1, -1...1)])
        for name in ["camera", "eye"] {
            let picture = try await scene.picture { $0.camera = .named(name) }
            #expect(picture.made.camera == "camera" && picture.pixel(8, 8)[0] == 255)
        }
        #expect(try await scene.picture { $0.camera = .fit }.made.camera.hasPrefix("fit"))
        await #expect(throws: RenderError(reason: .noCamera("other", known: ["camera"]))) {
            try await scene.picture { $0.camera = .named("other") }
        }
    }
}

import DaeDiagnostics
import DaeRender
import Testing

/// Scenes that ask for too much, or for what there is not.
@Suite struct HostileRenderTests {
    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e38, -3e38, 1e-40, 1e20])
    func coordinatesMayBeAnything(number: Double) async throws {
        for lane in 0..<9 {
            var part = TestScene.Part(
                positions: [-1, -1, 0, 1, -1, 0, 0, 1, 0], triangles: [0, 1, 2], lines: [0, 1, 1, 2])
            part.positions[lane] = number
            for style in RenderOptions.Style.allCases {
                _ = try await TestScene(parts: [part]).picture(size: 5, style)
            }
        }
    }

    @Test(arguments: ["1e38 1e38 1e38", "0 0 0", "-1 1 1", "1e-38 1 1", "NaN 1 1", "1 1e300 1"])
    func nodesMayScaleByAnything(scale: String) async throws {
        var part = TestScene.Part.rectangle(-1...1, -1...1)
        part.place = "<scale>\(scale)</scale>"
        for camera in [RenderOptions.CameraChoice.automatic, .fit] {
            _ = try await TestScene(parts: [part]).picture(size: 5, .lit) { $0.camera = camera }
        }
    }

    @Test(arguments: [
        "<perspective><yfov>0</yfov><znear>1</znear><zfar>2</zfar></perspective>",
        "<perspective><yfov>180</yfov><znear>1</znear><zfar>2</zfar></perspective>",
        "<perspective><xfov>-5</xfov><yfov>1e300</yfov><znear>1</znear><zfar>2</zfar></perspective>",
        "<perspective><yfov>45</yfov><znear>0</znear><zfar>0</zfar></perspective>",
        "<perspective><yfov>45</yfov><znear>5</znear><zfar>-5</zfar></perspective>",
        "<perspective><yfov>45</yfov><znear>1e308</znear><zfar>1e308</zfar></perspective>",
        "<orthographic><xmag>0</xmag><znear>1</znear><zfar>2</zfar></orthographic>",
        "<orthographic><ymag>1e-300</ymag><znear>-1e308</znear><zfar>1e308</zfar></orthographic>",
    ]) func opticsMayBeAnything(optics: String) async throws {
        var scene = TestScene(parts: [.rectangle(-1...1, -1...1)])
        scene.optics = optics
        for style in [RenderOptions.Style.suite, .lit] {
            #expect(try await scene.picture(size: 5, style).made.pixels.count == 100)
        }
    }

    @Test func lightsMayBeAnything() async throws {
        let effect =
            "<phong><diffuse><color>1e38 -1 NaN 1</color></diffuse><shininess><float>-1e30</float></shininess></phong>"
        var scene = TestScene(parts: [.rectangle(-1...1, -1...1, effect: effect)])
        for number in ["0", "-1", "1e38", "NaN", "1e-45"] {
            scene.lights = [
                (
                    "<spot><color>\(number) 1 1</color><constant_attenuation>\(number)</constant_attenuation><quadratic_attenuation>\(number)</quadratic_attenuation><falloff_angle>\(number)</falloff_angle><falloff_exponent>\(number)</falloff_exponent></spot>",
                    "<translate>0 0 1</translate>"
                ), ("<directional><color>1 \(number) 1</color></directional>", "<scale>0 0 0</scale>"),
            ]
            #expect(try await scene.picture(size: 5).made.pixels.count == 100)
        }
    }

    @Test func whatIsBeyondTheBudgetOfCoverageIsNotDrawn() async throws {
        func colored(_ color: String, _ z: Double) -> TestScene.Part {
            .rectangle(
                -1...1, -1...1, z: z, effect: "<constant><emission><color>\(color) 1</color></emission></constant>")
        }
        let scene = TestScene(parts: [colored("1 0 0", 0), colored("0 1 0", 1)])
        for threads in [1, 2] {
            let picture = try await scene.picture {
                $0.limits.coverage = 2 * 16 * 16
                $0.threads = threads
            }
            #expect(picture.pixel(4, 4) == [255, 0, 0, 255])
            #expect(picture.made.findings.map(\.code) == [.workLimitExceeded])
        }
    }

    @Test func otherBudgetsEndWithAFindingAndAPicture() async throws {
        let clear =
            "<constant><emission><color>1 1 1 1</color></emission><transparent><color>1 1 1 0.5</color></transparent></constant>"
        let clearScene = TestScene(parts: [.rectangle(-1...1, -1...1, effect: clear)])
        let dropped = try await clearScene.picture { $0.limits.fragments = 100 }
        #expect(dropped.made.findings.map(\.code) == [.workLimitExceeded])
        #expect(dropped.pixel(0, 15)[0] == 128 || dropped.pixel(15, 0)[0] == 128)

        let faces = try await TestScene(parts: [.rectangle(-1...1, -1...1), .rectangle(-1...1, -1...1)])
            .picture { $0.limits.faces = 3 }
        #expect(faces.made.findings.map(\.code) == [.workLimitExceeded] && faces.made.faces == 2)

        var lit = TestScene(parts: [
            .rectangle(-1...1, -1...1, effect: "<lambert><ambient><color>1 1 1 1</color></ambient></lambert>")
        ])
        lit.lights = Array(repeating: ("<ambient><color>0.2 0.2 0.2</color></ambient>", ""), count: 3)
        let lights = try await lit.picture { $0.limits.lights = 2 }
        #expect(lights.pixel(3, 3)[0] == 102 && lights.made.findings.map(\.code) == [.workLimitExceeded])
    }

    @Test func texturesHaveABudgetOfPixels() async throws {
        let effect = "<constant><emission><texture texture=\"texture\" texcoord=\"U\"/></emission></constant>"
        var scene = TestScene(parts: [.rectangle(-1...1, -1...1, effect: effect)])
        scene.texture = (2, 2, [UInt8](repeating: 100, count: 16))
        #expect(try await scene.picture { $0.limits.texels = 4 }.pixel(8, 8)[0] == 100)
        let without = try await scene.picture { $0.limits.texels = 3 }
        #expect(without.pixel(8, 8)[0] == 255 && without.made.findings.map(\.code) == [.imageTooLarge])
    }

    @Test func sizesAndSamplesHaveBounds() async throws {
        let scene = TestScene(parts: [.rectangle(-1...1, -1...1)])
        await #expect(throws: RenderError(reason: .badSize(width: 0, height: 16))) {
            try await scene.picture { $0.width = 0 }
        }
        await #expect(throws: RenderError(reason: .badSize(width: 16, height: 100_000))) {
            try await scene.picture { $0.height = 100_000 }
        }
        await #expect(throws: RenderError(reason: .badSamples(3))) { try await scene.picture { $0.samples = 3 } }
        #expect(try await scene.picture { ($0.width, $0.height) = (1, 1) }.made.pixels == [255, 255, 255, 255])
    }

    @Test func itStopsWhenAsked() async throws {
        let scene = TestScene(parts: [.rectangle(-1...1, -1...1)])
        await #expect(throws: (any Error).self) { try await scene.picture(stops: true) }
    }

    @Test func anEmptySceneIsItsGround() async throws {
        let picture = try await TestScene().picture(size: 3) { $0.background = [1, 0.2, 0, 1] }
        #expect(picture.made.pixels.chunked(4).allSatisfy { $0 == [255, 51, 0, 255] })
    }
}

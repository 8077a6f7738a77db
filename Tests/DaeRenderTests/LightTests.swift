import DaeRender
import Testing

/// The light of COLLADA's models, where its formulas give numbers that are known.
@Suite struct LightTests {
    private static let white = "<color>1 1 1</color>"

    /// What the middle of a surface is shown as.
    private static func middle(
        _ effect: String, _ lights: [(light: String, place: String)], normal: [Double] = [0, 0, 1],
        _ style: RenderOptions.Style = .suite
    ) async throws -> UInt8 {
        var part = TestScene.Part.rectangle(-1...1, -1...1, effect: effect)
        part.normals = [normal, normal, normal, normal].flatMap(\.self)
        var scene = TestScene(parts: [part])
        scene.lights = lights
        // An odd number: the middle of a pixel is the middle of the surface.
        return try await scene.picture(size: 17, style).pixel(8, 8)[0]
    }

    private static func lambert(_ diffuse: Double, _ more: String = "") -> String {
        "<lambert>\(more)<diffuse><color>\(diffuse) \(diffuse) \(diffuse) 1</color></diffuse></lambert>"
    }

    @Test(arguments: [(0.0, 204), (60, 102), (90, 0), (120, 0)] as [(Double, UInt8)])
    func aDirectionalLightFallsByTheCosine(turn: Double, expected: UInt8) async throws {
        let light = ("<directional>\(Self.white)</directional>", "<rotate>0 1 0 \(turn)</rotate>")
        #expect(try await Self.middle(Self.lambert(0.8), [light]) == expected)
    }

    @Test func lightsAreAddedUpToWhite() async throws {
        let half = ("<directional><color>0.5 0.5 0.5</color></directional>", "")
        #expect(try await Self.middle(Self.lambert(0.4), [half, half]) == 102)
        #expect(try await Self.middle(Self.lambert(1), [half, half, half]) == 255)
    }

    @Test func anAmbientLightIsTimesTheAmbientColour() async throws {
        let light = ("<ambient><color>0.5 0.5 0.5</color></ambient>", "")
        let written = Self.lambert(1, "<ambient><color>0.4 0.4 0.4 1</color></ambient>")
        #expect(try await Self.middle(written, [light]) == 51)
        // One that is not written is 0.31.
        #expect(try await Self.middle(Self.lambert(1), [light]) == 40)
    }

    @Test func whatShinesNeedsNoLight() async throws {
        let effect = "<lambert><emission><color>0.6 0.6 0.6 1</color></emission></lambert>"
        #expect(try await Self.middle(effect, []) == 153)
        let constant = "<constant><emission><color>0.6 0.6 0.6 1</color></emission></constant>"
        #expect(try await Self.middle(constant, [("<directional>\(Self.white)</directional>", "")]) == 153)
    }

    /// From 2 units away.
    @Test(
        arguments: [
            ("<constant_attenuation>2</constant_attenuation>", 128),
            ("<linear_attenuation>0.5</linear_attenuation>", 128),
            ("<quadratic_attenuation>0.75</quadratic_attenuation>", 64),
            ("<constant_attenuation>0</constant_attenuation><linear_attenuation>1</linear_attenuation>", 128),
        ] as [(String, UInt8)])
    func aPointLightFadesWithTheDistance(attenuation: String, expected: UInt8) async throws {
        let light = ("<point>\(Self.white)\(attenuation)</point>", "<translate>0 0 2</translate>")
        #expect(try await Self.middle(Self.lambert(1), [light]) == expected)
    }

    @Test func aSpotLightsItsConeAlone() async throws {
        let spot =
            "<spot>\(Self.white)<falloff_angle>60</falloff_angle><falloff_exponent>2</falloff_exponent></spot>"
        func middle(_ turn: Double) async throws -> UInt8 {
            let light = (spot, "<translate>0 0 2</translate><rotate>0 1 0 \(turn)</rotate>")
            return try await Self.middle(Self.lambert(1), [light])
        }
        #expect(try await middle(0) == 255)
        // cos² 20°
        #expect(try await middle(20) == 225)
        #expect(try await middle(29.9) > 180)
        #expect(try await middle(30.1) == 0)
    }

    @Test(arguments: ["phong", "blinn"], [(2.0, 163), (10, 27), (0, 255)] as [(Double, UInt8)])
    func aHighlightIsAPowerOfTheCosine(model: String, shininess: (Double, UInt8)) async throws {
        let effect = """
            <\(model)><diffuse><color>0 0 0 1</color></diffuse><specular><color>1 1 1 1</color></specular>
            <shininess><float>\(shininess.0)</float></shininess></\(model)>
            """
        let light = ("<directional>\(Self.white)</directional>", "")
        // 0.8 between the normal and the direction halfway.
        #expect(try await Self.middle(effect, [light], normal: [0.6, 0, 0.8]) == shininess.1)
    }

    @Test func aSurfaceSeenFromBehindIsDarkByTheLetterAndLitForViewers() async throws {
        let light = ("<directional>\(Self.white)</directional>", "")
        #expect(try await Self.middle(Self.lambert(0.5), [light], normal: [0, 0, -1]) == 0)
        #expect(try await Self.middle(Self.lambert(0.5), [light], normal: [0, 0, -1], .lit) > 127)
    }

    @Test func nothingIsBlackByAccident() async throws {
        // No light; lights that only the ambient colour answers to; a light that shines elsewhere.
        let lights: [[(light: String, place: String)]] = [
            [], [("<ambient>\(Self.white)</ambient>", "")],
            [("<directional>\(Self.white)</directional>", "<rotate>0 1 0 180</rotate>")],
        ]
        for lights in lights {
            #expect(try await Self.middle(Self.lambert(0.8), lights, .lit) >= 51)
        }
    }

    /// Exporters write strengths of thousands: a viewer shows shapes all the same.
    @Test func lightsThatAreFarTooBrightAreDimmedForViewers() async throws {
        let light = ("<directional><color>500 250 0</color></directional>", "<rotate>0 1 0 60</rotate>")
        var scene = TestScene(parts: [.rectangle(-1...1, -1...1, effect: Self.lambert(0.4))])
        scene.lights = [light]
        // 0.4 × (0.25 + 0.5 × 1, 0.5 and 0)
        #expect(try await scene.picture(size: 16, .lit).pixel(8, 8) == [77, 51, 26, 255])
        #expect(try await scene.picture().pixel(8, 8) == [255, 255, 0, 255])
    }

    @Test func coloursOfVerticesAreMultipliedWithTheMaterials() async throws {
        var part = TestScene.Part.rectangle(-1...1, -1...1, effect: Self.lambert(0.8))
        part.colors = (0..<4).flatMap { _ in [1.0, 0.5, 0] }
        var scene = TestScene(parts: [part])
        scene.lights = [("<directional>\(Self.white)</directional>", "")]
        #expect(try await scene.picture().pixel(4, 4) == [204, 102, 0, 255])
    }
}

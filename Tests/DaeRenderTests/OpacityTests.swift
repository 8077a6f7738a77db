import DaeRender
import Testing

/// How surfaces cover what is behind them.
@Suite struct OpacityTests {
    private static func effect(
        _ color: String, transparent: String, mode: String? = nil, transparency: Double? = nil
    ) -> String {
        let opaque = mode.map { " opaque=\"\($0)\"" } ?? ""
        let factor = transparency.map { "<transparency><float>\($0)</float></transparency>" } ?? ""
        return
            "<constant><emission><color>\(color) 1</color></emission><transparent\(opaque)>\(transparent)</transparent>\(factor)</constant>"
    }

    @Test(
        arguments: [
            ("A_ONE", 153), ("A_ZERO", 102), ("RGB_ONE", 51), ("RGB_ZERO", 204), (nil, 153),
        ] as [(String?, UInt8)])
    func eachModeCoversByItsOwnRule(mode: String?, expected: UInt8) async throws {
        let effect = Self.effect(
            "1 1 1", transparent: "<color>0.25 0.25 0.25 0.75</color>", mode: mode, transparency: 0.8)
        let picture = try await TestScene(parts: [.rectangle(-1...1, -1...1, effect: effect)]).picture()
        #expect(picture.pixel(5, 5) == [expected, expected, expected, 255])
    }

    @Test(
        arguments: [("A_ONE", [51, 255]), ("A_ZERO", [204, 0]), ("RGB_ONE", [255, 0]), ("RGB_ZERO", [0, 255])]
            as [(String, [UInt8])])
    func aTextureCoversPlaceByPlace(mode: String, expected: [UInt8]) async throws {
        let effect = Self.effect("1 1 1", transparent: "<texture texture=\"texture\" texcoord=\"U\"/>", mode: mode)
        var scene = TestScene(parts: [.rectangle(-1...1, -1...1, effect: effect)])
        scene.texture = (2, 1, [255, 255, 255, 51, 0, 0, 0, 255])
        scene.sampler = "<minfilter>NEAREST</minfilter><magfilter>NEAREST</magfilter>"
        let row = try await scene.picture().row(8)
        #expect(row == [UInt8](repeating: expected[0], count: 8) + [UInt8](repeating: expected[1], count: 8))
    }

    @Test(arguments: [true, false]) func theFartherIsCoveredByTheNearer(isRedFirst: Bool) async throws {
        let red = Self.effect("1 0 0", transparent: "<color>1 1 1 0.5</color>")
        let blue = Self.effect("0 0 1", transparent: "<color>1 1 1 0.5</color>")
        let parts: [TestScene.Part] = [
            .rectangle(-1...1, -1...1, z: 1, effect: red), .rectangle(-1...1, -1...1, effect: blue),
        ]
        let picture = try await TestScene(parts: isRedFirst ? parts : parts.reversed()).picture { $0.samples = 4 }
        #expect(picture.pixel(9, 3) == [128, 0, 64, 255])
    }

    @Test func whatIsBehindAnOpaqueSurfaceIsNotSeen() async throws {
        let red = Self.effect("1 0 0", transparent: "<color>1 1 1 0.5</color>")
        let parts: [TestScene.Part] = [.rectangle(-1...1, -1...1, z: -1, effect: red), .rectangle(-1...1, -1...1)]
        #expect(try await TestScene(parts: parts).picture().pixel(9, 3) == [255, 255, 255, 255])
    }

    @Test func anOpacityOf0IsInvisibleByTheLetterAndElseOpaque() async throws {
        let effect = Self.effect("1 1 1", transparent: "<color>1 1 1 1</color>", transparency: 0)
        let scene = TestScene(parts: [.rectangle(-1...1, -1...1, effect: effect)])
        #expect(try await scene.picture().pixel(5, 5) == [0, 0, 0, 255])
        #expect(try await scene.picture(size: 16, .lit).pixel(5, 5) == [255, 255, 255, 255])
    }

    @Test func aClearGroundShowsThroughClearSurfaces() async throws {
        let effect = Self.effect("1 0.2 0", transparent: "<color>1 1 1 0.4</color>")
        let scene = TestScene(parts: [.rectangle(-1...0, -1...1, effect: effect)])
        let picture = try await scene.picture { $0.background = .zero }
        #expect(picture.pixel(2, 2) == [255, 51, 0, 102])
        #expect(picture.pixel(12, 2) == [0, 0, 0, 0])
    }
}

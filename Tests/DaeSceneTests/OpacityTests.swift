import DaeScene
import Testing

/// The specification's table: each mode with a colour and with a texture, with and without `transparency`.
@Suite struct OpacityTests {
    /// Luminance 0.212671 × 0.5 + 0.715160 × 0.25 + 0.072169 × 1.
    private static let color = Material.Value.color(SIMD4(0.5, 0.25, 1, 0.75))
    private static let luminance = 0.212671 * 0.5 + 0.715160 * 0.25 + 0.072169

    private static let colors: [(Opacity.Mode, Double?, Double)] = [
        (.aOne, nil, 0.75), (.aOne, 0.5, 0.375), (.aOne, 0, 0), (.aOne, 2, 1),
        (.aZero, nil, 0.25), (.aZero, 0.5, 0.625), (.aZero, 0, 1), (.aZero, 2, 0),
        (.rgbOne, nil, luminance), (.rgbOne, 0.5, luminance / 2), (.rgbOne, 0, 0),
        (.rgbZero, nil, 1 - luminance), (.rgbZero, 0.5, 1 - luminance / 2), (.rgbZero, 0, 1),
    ]

    @Test(arguments: colors.indices)
    func aColorGivesOneOpacity(index: Int) {
        let (mode, transparency, expected) = Self.colors[index]
        let opacity = Opacity(transparent: Self.color, transparency: transparency, mode: mode)
        switch opacity {
        case .opaque: #expect(expected == 1)
        case .constant(let value): #expect(abs(value - expected) < 1e-12 && expected < 1)
        case .texture: Issue.record("a colour gave a texture")
        }
    }

    @Test func withoutBothASurfaceIsOpaque() {
        for mode in Opacity.Mode.allCases {
            #expect(Opacity(transparent: nil, transparency: nil, mode: mode) == .opaque)
            // The missing colour is 1 1 1 1, read as A_ONE.
            #expect(Opacity(transparent: nil, transparency: 0.25, mode: mode) == .constant(0.25))
        }
    }

    /// Exporters write black, white and grey as `transparent`: what is seen and what is not.
    @Test func theUsualWaysToSayOpaque() {
        let black = Material.Value.color(SIMD4(0, 0, 0, 1))
        let white = Material.Value.color(SIMD4(1, 1, 1, 1))
        #expect(Opacity(transparent: white, transparency: 1, mode: .aOne) == .opaque)
        #expect(Opacity(transparent: black, transparency: 1, mode: .aOne) == .opaque)
        #expect(Opacity(transparent: black, transparency: 1, mode: .rgbZero) == .opaque)
        #expect(Opacity(transparent: white, transparency: 0, mode: .rgbZero) == .opaque)
        guard case .constant(let value) = Opacity(transparent: white, transparency: 1, mode: .rgbZero) else {
            Issue.record("white by RGB_ZERO can be seen")
            return
        }
        #expect(value < 1e-12)
    }

    private static let textures: [(Opacity.Mode, Opacity.Map.Channel, Opacity.Map.Sense, Double)] = [
        (.aOne, .alpha, .direct, 0.5 * 0.25), (.aZero, .alpha, .inverted, 1 - 0.5 * 0.25),
        (.rgbOne, .luminance, .direct, 0.5 * 0.212671), (.rgbZero, .luminance, .inverted, 1 - 0.5 * 0.212671),
    ]

    @Test(arguments: textures.indices)
    func aTextureGivesAChannelOfItself(index: Int) {
        let (mode, channel, sense, expected) = Self.textures[index]
        let texture = Material.Texture(image: SceneIndex(3), texcoord: "UV")
        guard case .texture(let map) = Opacity(transparent: .texture(texture), transparency: 0.5, mode: mode) else {
            Issue.record("no texture by \(mode)")
            return
        }
        #expect(map == .init(texture: texture, channel: channel, sense: sense, factor: 0.5))
        #expect(abs(map.opacity(at: SIMD4(1, 0, 0, 0.25)) - expected) < 1e-12)
        guard case .texture(let whole) = Opacity(transparent: .texture(texture), transparency: nil, mode: mode) else {
            Issue.record("no texture by \(mode)")
            return
        }
        #expect(whole.factor == 1)
        // Nothing of the texture is left.
        let none = Opacity(transparent: .texture(texture), transparency: 0, mode: mode)
        #expect(none == (sense == .direct ? .constant(0) : .opaque))
    }
}

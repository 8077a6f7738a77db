/// How much of a surface covers what is behind it: 1 all, 0 none.
public enum Opacity: Sendable, Equatable {
    case opaque
    /// The same everywhere; at least 0, below 1.
    case constant(Double)
    indirect case texture(Map)

    public struct Map: Sendable, Equatable {
        public enum Channel: Sendable, Equatable {
            case alpha, luminance
        }
        /// Which way the channel counts.
        public enum Sense: Sendable, Equatable {
            /// Opacity is channel × factor.
            case direct
            /// Opacity is 1 − channel × factor.
            case inverted
        }
        public var texture: Material.Texture
        public var channel: Channel
        public var sense: Sense
        /// Above 0.
        public var factor: Double

        public init(texture: Material.Texture, channel: Channel, sense: Sense, factor: Double) {
            self.texture = texture
            self.channel = channel
            self.sense = sense
            self.factor = factor
        }

        /// The opacity where the texture has this red, green, blue and alpha, 0...1.
        public func opacity(at texel: SIMD4<Double>) -> Double {
            let value =
                switch channel {
                case .alpha: texel.w
                case .luminance: Opacity.luminance(of: texel)
                }
            return sense.opacity(value * factor)
        }
    }

    /// The `opaque` attribute of `<transparent>`. The last two are 1.5's.
    public enum Mode: String, Sendable, Equatable, CaseIterable {
        case aOne = "A_ONE"
        case rgbZero = "RGB_ZERO"
        case aZero = "A_ZERO"
        case rgbOne = "RGB_ONE"

        var channel: Map.Channel {
            switch self {
            case .aOne, .aZero: .alpha
            case .rgbZero, .rgbOne: .luminance
            }
        }

        var sense: Map.Sense {
            switch self {
            case .aOne, .rgbOne: .direct
            case .aZero, .rgbZero: .inverted
            }
        }
    }

    /// By the table of the specification.
    ///
    /// - Parameters:
    ///   - transparent: `nil` where the effect has none: then the colour is 1 1 1 1, read as ``Mode/aOne``.
    ///   - transparency: `nil` for 1. Without this and `transparent` a surface is opaque.
    /// - Source: COLLADA 1.5.0, chapter 7, "Determining transparency (opacity)".
    public init(transparent: Material.Value?, transparency: Double?, mode: Mode) {
        let factor = transparency ?? 1
        switch transparent {
        case nil: self.init(value: transparency == nil ? 1 : factor)
        case .color(let color):
            let value =
                switch mode.channel {
                case .alpha: color.w
                case .luminance: Opacity.luminance(of: color)
                }
            self.init(value: mode.sense.opacity(value * factor))
        case .number(let number): self.init(value: mode.sense.opacity(number * factor))
        case .texture(let texture):
            self =
                factor > 0
                ? .texture(Map(texture: texture, channel: mode.channel, sense: mode.sense, factor: factor))
                : Opacity(value: mode.sense.opacity(0))
        }
    }

    private init(value: Double) {
        self = value < 1 ? .constant(max(0, value)) : .opaque
    }

    static func luminance(of color: SIMD4<Double>) -> Double {
        0.212671 * color.x + 0.715160 * color.y + 0.072169 * color.z
    }
}

extension Opacity.Map.Sense {
    /// Of a value that already has its factor; 0...1.
    fileprivate func opacity(_ value: Double) -> Double {
        switch self {
        case .direct: min(1, max(0, value))
        case .inverted: min(1, max(0, 1 - value))
        }
    }
}

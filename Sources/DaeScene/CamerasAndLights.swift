extension Dae {
    /// A camera. Angles are degrees, lengths the scene's units.
    public struct Camera: Sendable, Equatable {
        /// How a camera projects; angles in degrees, the whole angle, magnifications half the view's size. `nil` is not
        /// written.
        public enum Projection: Sendable, Equatable {
            case perspective(xfov: Double?, yfov: Double?)
            case orthographic(xmag: Double?, ymag: Double?)
        }
        /// The element's `id`; `nil` where it has none.
        public var id: String?
        /// The element's `name`, for people; `nil` where it has none.
        public var name: String?
        /// `nil` when its optics could not be read.
        public var projection: Projection?
        /// Width by height of the view; `nil` where nothing is said.
        public var aspectRatio: Double?
        /// The distance of the near plane, in units of length.
        public var near: Double?
        /// The distance of the far plane, in units of length.
        public var far: Double?

        package init(
            id: String?, name: String?, projection: Projection?, aspectRatio: Double?, near: Double?, far: Double?
        ) {
            self.id = id
            self.name = name
            self.projection = projection
            self.aspectRatio = aspectRatio
            self.near = near
            self.far = far
        }
    }

    /// A light. It shines along the −z of its node.
    public struct Light: Sendable, Equatable {
        package enum Kind: String, Sendable, CaseIterable {
            case ambient, directional, point, spot
        }
        /// What a light is, with what only such a light has.
        public enum Source: Sendable, Equatable {
            case ambient, directional
            case point(Attenuation)
            case spot(Attenuation, Falloff)
        }
        /// At a distance d, in the scene's units, the light is divided by constant + linear × d + quadratic × d².
        public struct Attenuation: Sendable, Equatable {
            /// The part that does not hang on the distance.
            public var constant: Double
            /// The part that grows with the distance.
            public var linear: Double
            /// The part that grows with the square of the distance.
            public var quadratic: Double

            package init(constant: Double = 1, linear: Double = 0, quadratic: Double = 0) {
                self.constant = constant
                self.linear = linear
                self.quadratic = quadratic
            }
        }
        /// How a spot's light ends towards its side.
        public struct Falloff: Sendable, Equatable {
            /// Of the whole cone, in degrees.
            public var angle: Double
            /// Of the cosine between a direction and the spot's own.
            public var exponent: Double

            package init(angle: Double = 180, exponent: Double = 0) {
                self.angle = angle
                self.exponent = exponent
            }
        }
        /// The element's `id`; `nil` where it has none.
        public var id: String?
        /// The element's `name`, for people; `nil` where it has none.
        public var name: String?
        /// `nil` when its technique could not be read.
        public var source: Source?
        /// Red, green, blue, linear, usually 0...1.
        public var color: SIMD3<Double>?
        /// What ``color`` is multiplied by, where an exporter says so; `nil` for 1, and where only figures were read.
        public var intensity: Double?

        package init(id: String?, name: String?, source: Source?, color: SIMD3<Double>?, intensity: Double? = nil) {
            self.id = id
            self.name = name
            self.source = source
            self.color = color
            self.intensity = intensity
        }

        /// `nil` when its technique could not be read.
        package var kind: Kind? { source?.kind }
    }
}

extension Light.Source {
    package var kind: Dae.Light.Kind {
        switch self {
        case .ambient: .ambient
        case .directional: .directional
        case .point: .point
        case .spot: .spot
        }
    }
    /// `nil` for a light that is everywhere the same.
    package var attenuation: Dae.Light.Attenuation? {
        switch self {
        case .point(let attenuation), .spot(let attenuation, _): attenuation
        case .ambient, .directional: nil
        }
    }
    /// Of a spot.
    package var falloff: Dae.Light.Falloff? {
        switch self {
        case .spot(_, let falloff): falloff
        case .ambient, .directional, .point: nil
        }
    }
}

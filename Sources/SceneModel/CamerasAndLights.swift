/// A camera. Angles are degrees, lengths the document's units.
public struct Camera: Sendable, Hashable {
    public enum Projection: Sendable, Hashable {
        case perspective(xfov: Double?, yfov: Double?)
        case orthographic(xmag: Double?, ymag: Double?)
    }
    public var id: String?
    public var name: String?
    /// `nil` when its optics could not be read.
    public var projection: Projection?
    public var aspectRatio: Double?
    public var near: Double?
    public var far: Double?

    public init(
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

/// A light.
public struct Light: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
        case ambient, directional, point, spot
    }
    public var id: String?
    public var name: String?
    /// `nil` when its technique could not be read.
    public var kind: Kind?
    /// Red, green, blue, linear, usually 0...1.
    public var color: SIMD3<Double>?

    public init(id: String?, name: String?, kind: Kind?, color: SIMD3<Double>?) {
        self.id = id
        self.name = name
        self.kind = kind
        self.color = color
    }
}

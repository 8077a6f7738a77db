// KML 2.2, Model: a model is scaled in its own axes, turned by roll, tilt and heading in this order, each clockwise
// when looking against its axis, and put at a place on the globe. Its axes are east, north and up.

import Glibc

/// Where a KML document puts a model, how it is turned and how large it is shown.
public struct KMLPlacement: Sendable, Hashable {
    /// Degrees.
    public var longitude = 0.0
    public var latitude = 0.0
    /// Metres, above the sea or the ground.
    public var altitude = 0.0
    /// Whether ``altitude`` means nothing, since the model stands on the ground.
    public var isOnGround = true
    /// Degrees about the z axis, clockwise from above.
    public var heading = 0.0
    /// Degrees about the x axis.
    public var tilt = 0.0
    /// Degrees about the y axis.
    public var roll = 0.0
    public var scale = SIMD3<Double>(1, 1, 1)

    public init() {}

    /// Whether a model comes out as it is, the place on the globe aside.
    public var isPlain: Bool { heading == 0 && tilt == 0 && roll == 0 && scale == [1, 1, 1] }

    /// Metres to the east, to the north and up from where another lies, in the plane that touches the globe there.
    public func offset(from origin: KMLPlacement) -> SIMD3<Double> {
        guard longitude != origin.longitude || latitude != origin.latitude || height != origin.height else {
            return [0, 0, 0]
        }
        let way = earthCentered - origin.earthCentered
        let (sinLon, cosLon) = (sin(origin.longitude.radians), cos(origin.longitude.radians))
        let (sinLat, cosLat) = (sin(origin.latitude.radians), cos(origin.latitude.radians))
        return [
            cosLon * way.y - sinLon * way.x,
            cosLat * way.z - sinLat * (cosLon * way.x + sinLon * way.y),
            sinLat * way.z + cosLat * (cosLon * way.x + sinLon * way.y),
        ]
    }

    private var height: Double { isOnGround ? 0 : altitude }

    /// On the ellipsoid of WGS 84, in metres.
    private var earthCentered: SIMD3<Double> {
        let (radius, flattening) = (6_378_137.0, 1 / 298.257223563)
        let eccentricity = flattening * (2 - flattening)
        let (sinLat, cosLat) = (sin(latitude.radians), cos(latitude.radians))
        let normal = radius / (1 - eccentricity * sinLat * sinLat).squareRoot()
        return [
            (normal + height) * cosLat * cos(longitude.radians), (normal + height) * cosLat * sin(longitude.radians),
            (normal * (1 - eccentricity) + height) * sinLat,
        ]
    }
}

extension Double {
    fileprivate var radians: Double { self * .pi / 180 }
}

// A matrix without shear is a scale, then a rotation, then a translation. One with shear is a rotation, a scale and
// another rotation (its singular values): two nodes, one in the other, say it exactly.

import DaeCore
package import DaeScene

/// A translation, a rotation and a scale: the scale comes first to a point.
package struct RigidScale: Equatable {
    package var translation = SIMD3<Double>.zero
    /// A quaternion: x, y, z, w; of length 1.
    package var rotation = SIMD4<Double>(0, 0, 0, 1)
    package var scale = SIMD3<Double>.one

    static let identity = RigidScale()

    /// How far from a right angle the axes of a matrix may stand and still be taken for rounding.
    private static let tolerance = 1e-5

    init() {}

    package init(
        translation: SIMD3<Double>, rotation: SIMD4<Double> = SIMD4(0, 0, 0, 1), scale: SIMD3<Double> = .one
    ) {
        self.translation = translation
        self.rotation = rotation
        self.scale = scale
    }

    /// `nil` for a matrix with shear.
    init?(_ matrix: Matrix4) {
        let (x, y, z) = (matrix.columns.0.spatial, matrix.columns.1.spatial, matrix.columns.2.spatial)
        let lengths = SIMD3(x.size, y.size, z.size)
        let bounds = Self.tolerance * SIMD3(lengths.x * lengths.y, lengths.y * lengths.z, lengths.z * lengths.x)
        guard abs(x.dot(y)) <= bounds.x, abs(y.dot(z)) <= bounds.y, abs(z.dot(x)) <= bounds.z,
            lengths.x.isFinite, lengths.y.isFinite, lengths.z.isFinite
        else { return nil }
        self.init(nearest: matrix)
    }

    /// The rotation and scale nearest to a matrix, by its axes in their order; exact for one without shear.
    init(nearest matrix: Matrix4) {
        translation = matrix.columns.3.spatial
        let (x, y, z) = (matrix.columns.0.spatial, matrix.columns.1.spatial, matrix.columns.2.spatial)
        scale = SIMD3(x.size, y.size, z.size)
        // An axis without length has any direction that the others leave.
        let axes = Self.rightAngled(x.unit, y.unit, z.unit)
        if axes.x.cross(axes.y).dot(axes.z) < 0 {
            scale.x = -scale.x
            rotation = Self.quaternion(-axes.x, axes.y, axes.z)
        } else {
            rotation = Self.quaternion(axes.x, axes.y, axes.z)
        }
    }

    package var matrix: Matrix4 {
        let (x, y, z, w) = (rotation.x, rotation.y, rotation.z, rotation.w)
        let first = SIMD3(1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)) * scale.x
        let second = SIMD3(2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)) * scale.y
        let third = SIMD3(2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)) * scale.z
        return Matrix4(columns: (SIMD4(first, 0), SIMD4(second, 0), SIMD4(third, 0), SIMD4(translation, 1)))
    }

    /// Three directions at right angles, as near to those given as their order allows; the third may be mirrored.
    private static func rightAngled(
        _ x: SIMD3<Double>?, _ y: SIMD3<Double>?, _ z: SIMD3<Double>?
    ) -> (x: SIMD3<Double>, y: SIMD3<Double>, z: SIMD3<Double>) {
        let first = x ?? y.flatMap { y in z.flatMap { y.cross($0).unit } } ?? (y ?? z).map(\.anyAcross) ?? [1, 0, 0]
        let second =
            y.flatMap { ($0 - first * first.dot($0)).unit }
            ?? z.flatMap { $0.cross(first).unit } ?? first.anyAcross
        let third = first.cross(second)
        let isMirrored = z.map { $0.dot(third) < 0 } ?? false
        return (first, second, isMirrored ? -third : third)
    }

    /// Of three directions at right angles that make a right-handed system.
    static func quaternion(_ x: SIMD3<Double>, _ y: SIMD3<Double>, _ z: SIMD3<Double>) -> SIMD4<Double> {
        let trace = x.x + y.y + z.z
        var q: SIMD4<Double>
        if trace > 0 {
            q = SIMD4(y.z - z.y, z.x - x.z, x.y - y.x, 1 + trace)
        } else if x.x >= y.y, x.x >= z.z {
            q = SIMD4(1 + x.x - y.y - z.z, x.y + y.x, z.x + x.z, y.z - z.y)
        } else if y.y >= z.z {
            q = SIMD4(x.y + y.x, 1 + y.y - x.x - z.z, y.z + z.y, z.x - x.z)
        } else {
            q = SIMD4(z.x + x.z, y.z + z.y, 1 + z.z - x.x - y.y, x.y - y.x)
        }
        q /= (q * q).sum().squareRoot()
        return q.w < 0 ? -q : q
    }
}

extension RigidScale {
    /// A share of the way to another, as engines go it: numbers straight, the rotation along the shorter arc.
    func toward(_ other: RigidScale, by share: Double) -> RigidScale {
        RigidScale(
            translation: translation + (other.translation - translation) * share,
            rotation: Self.slerp(rotation, other.rotation, share), scale: scale + (other.scale - scale) * share)
    }

    /// The same as half of the way, without angles.
    func halfway(to other: RigidScale) -> RigidScale {
        let end = (rotation * other.rotation).sum() < 0 ? -other.rotation : other.rotation
        let middle = rotation + end
        return RigidScale(
            translation: (translation + other.translation) / 2, rotation: middle / (middle * middle).sum().squareRoot(),
            scale: (scale + other.scale) / 2)
    }

    package static func slerp(_ start: SIMD4<Double>, _ end: SIMD4<Double>, _ share: Double) -> SIMD4<Double> {
        var end = end
        var cosine = (start * end).sum()
        if cosine < 0 {
            end = -end
            cosine = -cosine
        }
        var mixed: SIMD4<Double>
        if cosine > 0.9995 {
            mixed = start + (end - start) * share
        } else {
            let angle = acos(min(1, cosine))
            mixed = start * sin((1 - share) * angle) + end * sin(share * angle)
        }
        mixed /= (mixed * mixed).sum().squareRoot()
        return mixed
    }
}

extension SIMD3<Double> {
    /// Some direction at a right angle to this one.
    fileprivate var anyAcross: SIMD3<Double> {
        let least: SIMD3<Double> =
            abs(x) <= abs(y) && abs(x) <= abs(z) ? [1, 0, 0] : abs(y) <= abs(z) ? [0, 1, 0] : [0, 0, 1]
        return cross(least).unit ?? [1, 0, 0]
    }
}

/// A matrix with shear as two without: `outer` × `inner`.
struct ShearSplit {
    let outer: RigidScale
    /// A rotation alone.
    let inner: RigidScale

    /// Sweeps over the three pairs of axes; more change nothing that a `Double` holds.
    private static let sweeps = 12

    /// By the singular values of the matrix, found by turning pairs of its columns until all stand at right angles
    /// (one-sided Jacobi). Numbers that are not finite give the identity.
    init(_ matrix: Matrix4) {
        var columns = [matrix.columns.0.spatial, matrix.columns.1.spatial, matrix.columns.2.spatial]
        var turned: [SIMD3<Double>] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        for _ in 0..<Self.sweeps {
            for (first, second) in [(0, 1), (0, 2), (1, 2)] {
                let across = columns[first].dot(columns[second])
                guard across != 0, across.isFinite else { continue }
                let difference =
                    columns[second].dot(columns[second]) - columns[first].dot(columns[first])
                let angle = 0.5 * atan2(2 * across, -difference)
                let (sine, cosine) = (sin(angle), cos(angle))
                (columns[first], columns[second]) = (
                    columns[first] * cosine + columns[second] * sine,
                    columns[second] * cosine - columns[first] * sine
                )
                (turned[first], turned[second]) = (
                    turned[first] * cosine + turned[second] * sine,
                    turned[second] * cosine - turned[first] * sine
                )
            }
        }
        let whole = Matrix4(
            columns: (
                SIMD4(columns[0], 0), SIMD4(columns[1], 0), SIMD4(columns[2], 0), matrix.columns.3
            ))
        outer = RigidScale(nearest: whole)
        // matrix = columns × turned⁻¹, and a rotation's inverse is its transpose.
        let rows = turned
        inner = RigidScale(
            translation: .zero,
            rotation: RigidScale.quaternion(
                [rows[0].x, rows[1].x, rows[2].x], [rows[0].y, rows[1].y, rows[2].y],
                [rows[0].z, rows[1].z, rows[2].z]),
            scale: .one)
    }
}

// Numbers of vertices have 24 bits: of a mesh in a map's coordinates they keep half a metre. Those of nodes are doubles and
// keep all of it. So what is far from its origin, for its size, is written about a place of its own.

extension Scene {
    /// The place in its node about which a mesh is written, or in its joints' space where a skin moves it; `nil` for the
    /// origin, as nearly always.
    func farOrigin(of geometry: SceneIndex<Geometry>, _ controller: SceneIndex<Controller>?) -> SIMD3<Double>? {
        guard let bounds = geometries[geometry].measure.bounds else { return nil }
        guard let controller, let skin = skin(of: controller) else { return bounds.farOrigin }
        return bounds.transformed(by: skin.bindShape).farOrigin
    }

    /// Where a node of its own has to take the mesh that an instance shows; joints do that for a skin's.
    ///
    /// - Parameter skinned: The skins of all controllers.
    func farOrigin(of instance: Instance, _ skinned: NearestControllers?) -> SIMD3<Double>? {
        switch instance {
        case .geometry(let geometry, materials: _): return farOrigin(of: geometry, nil)
        case .controller(let controller, skeleton: _, materials: _):
            guard skinned?.has(controller) != true, let base = controllers[controller].base else { return nil }
            return farOrigin(of: base, nil)
        case .camera, .light: return nil
        }
    }
}

extension Bounds {
    fileprivate var farOrigin: SIMD3<Double>? {
        let reach = pointwiseMax(pointwiseMax(max, -max), pointwiseMax(min, -min))
        return ((min + max) / 2).farOrigin(reach: reach, size: size.max())
    }
}

extension SIMD3<Double> {
    /// What a `Float` may lose of itself.
    static let lostShare = 0x1p-24

    /// The place, of those axes along which a `Float` would lose more than what is tolerated of a size; `nil` where none
    /// does. A `Float` holds it exactly.
    func farOrigin(reach: SIMD3<Double>, size: Double) -> SIMD3<Double>? {
        guard size > 0, size.isFinite else { return nil }
        var origin = Self.zero
        for axis in 0..<3 where reach[axis] * Self.lostShare > TrackBuilder.tolerance * size {
            let near = Double(Float(self[axis]))
            if near.isFinite { origin[axis] = near }
        }
        return origin == .zero ? nil : origin
    }
}

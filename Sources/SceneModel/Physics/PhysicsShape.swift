/// One of the volumes that a rigid body is made of.
public struct PhysicsShape: Sendable, Equatable {
    public enum Form: Sendable, Equatable {
        case primitive(PhysicsPrimitive)
        case geometry(SceneIndex<Geometry>)
        /// The file gives none, or one that cannot be used.
        case missing
    }
    public enum Filling: Sendable, Equatable {
        case solid, hollow
    }
    public var form: Form
    /// `nil` where the file leaves it out.
    public var filling: Filling?
    public var mass: Double?
    public var density: Double?
    /// Its own; the body's holds where it has none.
    public var material: SceneIndex<PhysicsMaterial>?
    /// From the shape's space to the body's. A mesh is in its own unit and axes there; the matrix takes them over.
    public var matrix: Matrix4

    public init(
        form: Form, filling: Filling?, mass: Double?, density: Double?, material: SceneIndex<PhysicsMaterial>?,
        matrix: Matrix4
    ) {
        self.form = form
        self.filling = filling
        self.mass = mass
        self.density = density
        self.material = material
        self.matrix = matrix
    }
}

/// A volume given by a few numbers. Cylinders and capsules stand along y, with their centre at the origin.
public enum PhysicsPrimitive: Sendable, Equatable {
    /// All points with normal · point + offset = 0; the normal is as long as the file has it.
    case plane(normal: SIMD3<Double>, offset: Double)
    case box(halfExtents: SIMD3<Double>)
    case sphere(radius: Double)
    case ellipsoid(size: SIMD3<Double>)
    /// Radii along x and z.
    case cylinder(height: Double, radii: SIMD2<Double>)
    /// The height is without the caps; radii along x and z, and since 1.5 the caps' own along y.
    case capsule(height: Double, radii: SIMD2<Double>, cap: Double?)
    /// 1.4: radii along x and z at +height/2, then at −height/2.
    case taperedCylinder(height: Double, upper: SIMD2<Double>, lower: SIMD2<Double>)
    case taperedCapsule(height: Double, upper: SIMD2<Double>, lower: SIMD2<Double>)

    /// COLLADA's name.
    public var name: String {
        switch self {
        case .plane: "plane"
        case .box: "box"
        case .sphere: "sphere"
        case .ellipsoid: "ellipsoid"
        case .cylinder: "cylinder"
        case .capsule: "capsule"
        case .taperedCylinder: "tapered_cylinder"
        case .taperedCapsule: "tapered_capsule"
        }
    }

    /// Whether each of its lengths is above 0 (a taper may end in a point), and a plane has a direction.
    public var isValid: Bool {
        switch self {
        case .plane(let normal, _): normal != .zero
        case .box(let half): half.isPositive
        case .sphere(let radius): radius > 0
        case .ellipsoid(let size): size.isPositive
        case .cylinder(let height, let radii): height > 0 && radii.isPositive
        case .capsule(let height, let radii, let cap): height > 0 && radii.isPositive && cap ?? 1 > 0
        case .taperedCylinder(let height, let upper, let lower), .taperedCapsule(let height, let upper, let lower):
            height > 0 && upper.min() >= 0 && lower.min() >= 0 && upper + lower != .zero
        }
    }
}

extension SIMD where Scalar == Double {
    fileprivate var isPositive: Bool { indices.allSatisfy { self[$0] > 0 } }
}

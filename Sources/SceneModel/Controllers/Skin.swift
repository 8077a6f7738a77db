/// Binds the vertices of a mesh to joints.
public struct Skin: Sendable, Equatable {
    /// Moves the mesh into its bind shape, before anything else.
    public var bindShape: Matrix4
    /// The joints as the document writes them; which nodes they are, each instance's ``Skeleton`` says.
    public var joints: [String]
    /// From the bind shape's space into that of each joint; one a joint.
    public var inverseBinds: [Matrix4]
    /// Empty where only figures were read.
    public var influences: SkinInfluences
    /// The same where only figures were read, and ``influences`` is empty.
    package var archivedInfluences: ArchivedInfluences?

    public init(bindShape: Matrix4, joints: [String], inverseBinds: [Matrix4], influences: SkinInfluences) {
        self.bindShape = bindShape
        self.joints = joints
        self.inverseBinds = inverseBinds
        self.influences = influences
    }
}

/// Which joints move each vertex, and how much: the document's own arrays, shared with it.
public struct SkinInfluences: Sendable, Equatable {
    public enum Joint: Sendable, Equatable {
        /// Into the skin's joints.
        case joint(Int)
        /// No joint but the bind shape itself: the index −1.
        case bindShape
    }
    /// Influences of each vertex, in the mesh's order.
    public var counts: [Int32]
    /// For each influence ``stride`` indices.
    public var indices: [Int32]
    /// At least 1.
    public var stride: Int
    /// Which of an influence's indices is its joint's; `nil` without.
    public var jointOffset: Int?
    /// Which of an influence's indices is its weight's; `nil` without.
    public var weightOffset: Int?
    public var weights: NumberList

    public init(
        counts: [Int32], indices: [Int32], stride: Int, jointOffset: Int?, weightOffset: Int?, weights: NumberList
    ) {
        self.counts = counts
        self.indices = indices
        self.stride = max(1, stride)
        self.jointOffset = jointOffset
        self.weightOffset = weightOffset
        self.weights = weights
    }

    public static let none = SkinInfluences(
        counts: [], indices: [], stride: 1, jointOffset: nil, weightOffset: nil, weights: NumberList([]))

    /// Visits every influence in the order of vertices; what leads to no joint or no weight is left out.
    ///
    /// - Parameters:
    ///   - joints: Joints that the skin has; a higher index leads nowhere.
    ///   - visit: Gets the vertex (from 0, below `counts.count`), what moves it, and the weight as it is written, which
    ///     may be 0 or negative; the weights of a vertex need not sum up to 1.
    public func forEach(joints: Int, _ visit: (_ vertex: Int, _ joint: Joint, _ weight: Double) -> Void) {
        guard let jointOffset, let weightOffset, jointOffset < stride, weightOffset < stride else { return }
        var at = 0
        for (vertex, count) in counts.enumerated() {
            var left = count
            while left > 0 {
                guard at <= indices.count - stride else { return }
                let joint = Int(indices[at + jointOffset])
                let weight = Int(indices[at + weightOffset])
                at += stride
                left -= 1
                guard joint >= -1, joint < joints, weight >= 0, weight < weights.count else { continue }
                visit(vertex, joint < 0 ? .bindShape : .joint(joint), weights[weight])
            }
        }
    }

    /// Vertices whose weights sum up to something else than 1, those without an influence left out.
    package func unnormalizedVertices(joints: Int, tolerance: Double = 1e-3) -> Int {
        var unnormalized = 0
        var (vertex, sum) = (-1, 1.0)
        forEach(joints: joints) { next, _, weight in
            if next != vertex {
                if !(abs(sum - 1) <= tolerance) { unnormalized += 1 }
                (vertex, sum) = (next, 0)
            }
            sum += weight
        }
        return abs(sum - 1) <= tolerance ? unnormalized : unnormalized + 1
    }
}

/// Numbers within an array that is shared, one a place: number i stands at `offset + i × stride`.
public struct NumberList: Sendable, Equatable {
    public let values: [Double]
    public let offset: Int
    public let stride: Int
    /// Numbers that `values` really holds.
    public let count: Int

    /// All of an array.
    public init(_ values: [Double]) {
        self.init(values, offset: 0, stride: 1, count: values.count)
    }

    /// - Parameter count: At most; fewer where the array is shorter.
    public init(_ values: [Double], offset: Int, stride: Int, count: Int) {
        self.values = values
        self.offset = max(0, offset)
        self.stride = max(1, stride)
        let after = values.count - self.offset - 1
        self.count = after < 0 ? 0 : max(0, min(count, after / self.stride + 1))
    }

    /// - Parameter index: 0..<``count``.
    @inlinable public subscript(index: Int) -> Double { values[offset + index * stride] }
}

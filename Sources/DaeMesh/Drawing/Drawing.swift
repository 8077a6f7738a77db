public import DaeScene

extension Dae {
    /// A scene as a renderer takes it: indexed triangles in 32-bit numbers, what each is drawn with, and where it stands.
    ///
    /// A mesh is there once however often it is shown; what stands where is one of ``instances``. Everything is a value:
    /// it shares nothing with the scene, and may be handed to any thread.
    public struct Drawing: Sendable {
        /// How a scene is made ready to be drawn.
        public struct Options: Sendable {
            /// Units and axes of the world; `nil` for the scene's own.
            public var system: CoordinateSystem?
            /// Where texture coordinates are 0.
            public var textureOrigin = TextureOrigin.topLeft
            /// Where normals are missing: faces that meet at less than this many degrees are smooth there. 0 gives flat
            /// faces, 180 smooth ones throughout.
            public var creaseAngle = 40.0
            /// Whether vertices have tangents: those of the document, or made from the first texture coordinates.
            public var tangents = false
            /// Joints that move a vertex at most.
            public var influences = ExportOptions.Influences.four
            /// What becomes of surfaces that by the letter cannot be seen at all.
            public var invisibleSurfaces = ExportOptions.InvisibleSurfaces.opaque
            /// What becomes of triangles without normals.
            package enum MissingNormals: Sendable {
                /// They get some, by the crease angle.
                case made
                case absent
            }
            /// What becomes of triangles without normals.
            package var missingNormals = MissingNormals.made
            /// Nodes at most, instanced ones each time.
            package var nodeLimit = 10_000_000

            /// The defaults of each property.
            public init() {}
        }

        /// The corner of an image at which its texture coordinates are 0; the other corner is at 1, 1.
        public enum TextureOrigin: Sendable, Hashable, CaseIterable {
            /// As Metal, Vulkan, Direct3D, WebGPU and glTF have it.
            case topLeft
            /// As COLLADA and OpenGL have it.
            case bottomLeft
        }

        /// Each shape once, in the order in which the scene shows it first.
        public internal(set) var meshes: [DrawnMesh] = []
        /// What stands where, in the document's order.
        public internal(set) var instances: [DrawnInstance] = []
        /// What parts are drawn with: each material once for each way in which it finds its texture coordinates.
        public internal(set) var surfaces: [Surface] = []
        /// The scene's nodes and animations, for poses.
        var stage: DrawingStage
        /// What was changed on the way: polygons cut into triangles, influences left out and their like.
        public internal(set) var report = FidelityReport()
    }

    /// A shape: a geometry by itself, or as a controller deforms it.
    public struct DrawnMesh: Sendable {
        /// The geometry's name or id.
        public let name: String?
        /// Which geometry of the scene it is.
        public let geometry: SceneIndex<Geometry>
        /// One vertex buffer a material.
        public internal(set) var parts: [DrawnPart]
        /// Of each joint, from the mesh to the joint's own space; empty without a skin.
        let inverseBinds: [Matrix4]
        /// Targets that each part has differences to.
        package let morphTargets: Int
    }

    /// One vertex buffer, and the triangles or lines that are drawn from it.
    ///
    /// Numbers of one vertex stand one after the other, and vertex after vertex. Triangles are counter-clockwise seen from
    /// the side their normals point to. Lengths are the document's units; ``DrawnPose`` takes them to the world.
    public struct DrawnPart: Sendable {
        /// What indices make.
        public enum Topology: Sendable, Hashable {
            /// Three indices each.
            case triangles
            /// Two indices each.
            case lines
        }
        /// What the indices make.
        public let topology: Topology
        /// The material's symbol in the geometry; `nil` where it has none.
        public let symbol: String?
        /// x y z.
        public internal(set) var positions: [Float]
        /// x y z, of length 1; empty for lines that have none.
        public internal(set) var normals: [Float]
        /// x y z of length 1, and 1 or −1: bitangent = cross(normal, tangent) × the fourth. Empty if not asked for, or
        /// without texture coordinates.
        public internal(set) var tangents: [Float]
        /// Sets of u v, in the order of the document's inputs; 0, 0 is ``Drawing/TextureOrigin``.
        public internal(set) var texcoords: [[Float]]
        /// Sets of red, green, blue and alpha, 0...1, for a display (sRGB); a picture's colours are multiplied with them.
        public internal(set) var colors: [[Float]]
        /// Of each vertex ``influences`` joints, into ``DrawnPose/joints``; empty without a skin.
        public internal(set) var joints: [UInt16]
        /// How much each of ``joints`` moves its vertex; those of a vertex sum up to 1.
        public internal(set) var weights: [Float]
        /// 4, or 8 where that was asked for and is needed; 0 without a skin.
        public let influences: Int
        /// What each morph target adds to a vertex, times its weight.
        public internal(set) var targets: [DrawnTarget]
        /// Into the vertices, from 0.
        public internal(set) var indices: [UInt32]
        /// Of each vertex, the group that shares its normal; empty where the document gives normals.
        var smoothing: [UInt32] = []

        /// Vertices in the buffer.
        public var vertexCount: Int { positions.count / 3 }
    }

    /// Differences to the vertices of a part.
    public struct DrawnTarget: Sendable {
        /// x y z.
        public internal(set) var positions: [Float]
        /// x y z, not of length 1; empty where the document gives none.
        public internal(set) var normals: [Float]
    }

    /// Where a mesh stands, and with which surfaces.
    public struct DrawnInstance: Sendable {
        /// Into ``Drawing/meshes``.
        public let mesh: Int
        /// Of each part of the mesh, into ``Drawing/surfaces``; `nil` for what has no material.
        public let surfaces: [Int?]
        /// The node that shows it.
        public let node: SceneIndex<Node>
        /// Whether nodes above turn it left to right: its triangles are then clockwise.
        public let isMirrored: Bool
    }

    /// Where everything stands at one moment. Of each instance of the drawing, by its place.
    public struct DrawnPose: Sendable {
        /// From the mesh to the world, for instances without a skin; for others where a vertex stands that no joint moves.
        public internal(set) var transforms: [Matrix4] = []
        /// From the mesh to the world, one for each joint that ``DrawnPart/joints`` names; empty without a skin. A vertex is
        /// moved by the sum of its joints' matrices times its weights, and by no other.
        public internal(set) var joints: [[Matrix4]] = []
        /// Of each morph target, how much of it is added; empty without a morph.
        public internal(set) var weights: [[Double]] = []
    }
}

package typealias Drawing = Dae.Drawing
package typealias DrawnMesh = Dae.DrawnMesh
package typealias DrawnPart = Dae.DrawnPart
package typealias DrawnTarget = Dae.DrawnTarget
package typealias DrawnInstance = Dae.DrawnInstance
package typealias DrawnPose = Dae.DrawnPose

// MARK: - Posing on the processor

extension DrawnPart {
    /// Where a part's vertices are in the world, for those who have no graphics processor.
    ///
    /// - Parameters:
    ///   - pose: Of the same drawing.
    ///   - instance: Into ``Dae/Drawing/instances``; one that shows the mesh of this part.
    /// - Returns: The same part with positions, normals and tangents in the world, in its pose, and without joints and
    ///   targets. Its triangles are counter-clockwise also where the instance is mirrored.
    /// - Complexity: O(vertices × (joints + targets)).
    public func posed(_ pose: Dae.DrawnPose, instance: Int) -> Dae.DrawnPart {
        posed(pose, instance: instance, morphNormals: .renewed)
    }

    /// What becomes of normals that the document does not give where a morph changes the shape.
    package enum MorphNormals {
        /// Those of the new shape.
        case renewed
        /// Each vertex has that of OpenGL's initial state, 0 0 1.
        case initial
    }

    /// As ``posed(_:instance:)``, with a choice for morphs without normals.
    package func posed(_ pose: DrawnPose, instance: Int, morphNormals: MorphNormals) -> DrawnPart {
        var part = self
        part.blend(pose.weights[instance])
        if !smoothing.isEmpty, !targets.isEmpty {
            switch morphNormals {
            case .renewed: part.renewNormals()
            case .initial: for vertex in 0..<vertexCount { part.normals.put([0, 0, 1], at: vertex) }
            }
        }
        let joints = pose.joints[instance]
        if joints.isEmpty || influences == 0 {
            let matrix = VertexMatrix(pose.transforms[instance])
            part.move(by: [matrix])
            // What is mirrored is seen from its other side; a skin's triangles were turned when they were made.
            if matrix.isMirroring, topology == .triangles {
                for face in stride(from: 0, to: indices.count - 2, by: 3) { part.indices.swapAt(face + 1, face + 2) }
            }
        } else {
            part.move(by: joints.map { VertexMatrix($0) })
        }
        (part.joints, part.weights, part.targets) = ([], [], [])
        return part
    }

    private mutating func blend(_ amounts: [Double]) {
        for (target, amount) in zip(targets, amounts) where amount != 0 {
            let amount = Float(amount)
            for index in 0..<min(positions.count, target.positions.count) {
                positions[index] += amount * target.positions[index]
            }
            for index in 0..<min(normals.count, target.normals.count) {
                normals[index] += amount * target.normals[index]
            }
        }
    }

    /// - Parameter matrices: One for each joint; one alone moves all vertices.
    private mutating func move(by matrices: [VertexMatrix]) {
        let isRigid = matrices.count == 1 && (influences == 0 || joints.isEmpty)
        for vertex in 0..<vertexCount {
            let matrix = isRigid ? matrices[0] : blended(matrices, at: vertex)
            positions.put(matrix.point(positions.vector(vertex)), at: vertex)
            if !normals.isEmpty { normals.put(matrix.normal(normals.vector(vertex)), at: vertex) }
            guard !tangents.isEmpty else { continue }
            let tangent = SIMD3(tangents[4 * vertex], tangents[4 * vertex + 1], tangents[4 * vertex + 2])
            let moved = matrix.direction(tangent)
            for lane in 0..<3 { tangents[4 * vertex + lane] = moved[lane] }
            if matrix.isMirroring { tangents[4 * vertex + 3] = -tangents[4 * vertex + 3] }
        }
    }

    private func blended(_ matrices: [VertexMatrix], at vertex: Int) -> VertexMatrix {
        var sum = VertexMatrix.zero
        for place in vertex * influences..<(vertex + 1) * influences {
            let (joint, weight) = (Int(joints[place]), weights[place])
            if weight != 0, matrices.indices.contains(joint) { sum.add(matrices[joint], times: weight) }
        }
        return sum
    }
}

/// A matrix in the numbers of vertices.
private struct VertexMatrix {
    private var x: SIMD3<Float>
    private var y: SIMD3<Float>
    private var z: SIMD3<Float>
    private var origin: SIMD3<Float>

    static let zero = VertexMatrix(x: .zero, y: .zero, z: .zero, origin: .zero)

    private init(x: SIMD3<Float>, y: SIMD3<Float>, z: SIMD3<Float>, origin: SIMD3<Float>) {
        (self.x, self.y, self.z, self.origin) = (x, y, z, origin)
    }

    init(_ matrix: Matrix4) {
        func column(_ column: SIMD4<Double>) -> SIMD3<Float> { SIMD3(column.spatial) }
        let columns = matrix.columns
        self.init(
            x: column(columns.0), y: column(columns.1), z: column(columns.2), origin: column(columns.3))
    }

    mutating func add(_ other: VertexMatrix, times weight: Float) {
        x += other.x * weight
        y += other.y * weight
        z += other.z * weight
        origin += other.origin * weight
    }

    var isMirroring: Bool { x.cross(y).dot(z) < 0 }

    func point(_ point: SIMD3<Float>) -> SIMD3<Float> { x * point.x + y * point.y + z * point.z + origin }

    func direction(_ direction: SIMD3<Float>) -> SIMD3<Float> {
        (x * direction.x + y * direction.y + z * direction.z).normalized
    }

    /// By the cofactors, which also turn what a flat matrix flattens.
    func normal(_ normal: SIMD3<Float>) -> SIMD3<Float> {
        let moved = y.cross(z) * normal.x + z.cross(x) * normal.y + x.cross(y) * normal.z
        return (isMirroring ? -moved : moved).normalized
    }
}

extension SIMD3<Float> {
    func dot(_ other: Self) -> Float { (self * other).sum() }

    func cross(_ other: Self) -> Self {
        Self(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    /// Of length 1; itself without a direction.
    var normalized: Self {
        let largest = Swift.max(abs(x), abs(y), abs(z))
        guard largest > 0, largest.isFinite else { return self }
        let near = self / largest
        return near / near.dot(near).squareRoot()
    }
}

extension [Float] {
    /// The three numbers of a vertex.
    func vector(_ vertex: Int) -> SIMD3<Float> { SIMD3(self[3 * vertex], self[3 * vertex + 1], self[3 * vertex + 2]) }

    mutating func put(_ vector: SIMD3<Float>, at vertex: Int) {
        (self[3 * vertex], self[3 * vertex + 1], self[3 * vertex + 2]) = (vector.x, vector.y, vector.z)
    }
}

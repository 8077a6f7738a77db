public import XMLReader

extension ColladaDocument {
    /// A boundary representation: exact curves and surfaces, and the topology that cuts solids out of them.
    public struct Brep: Sendable, Equatable {
        /// The space curves of edges.
        public var curves: [Curve] = []
        /// Curves in the parameters of a surface.
        public var surfaceCurves: [Curve] = []
        public var surfaces: [Surface] = []
        /// Without their numbers when only figures were asked for.
        public var sources: [Source] = []
        public var verticesID: String?
        public var vertices: [Input] = []
        /// At most one of each kind, in the file's order.
        public var topologies: [Topology] = []

        public func topology(_ kind: Topology.Kind) -> Topology? { topologies.first { $0.kind == kind } }
    }

    /// Where a curve or surface lies: turned by each `orient` in order, then moved to `origin`.
    public struct Placement: Sendable, Equatable {
        /// Axis and degrees.
        public var orients: [SIMD4<Double>] = []
        /// `nil` where the file leaves it out: 0 0 0.
        public var origin: SIMD3<Double>?
    }

    public struct Curve: Sendable, Equatable {
        public enum Form: Sendable, Equatable {
            case line(origin: SIMD3<Double>, direction: SIMD3<Double>)
            case circle(radius: Double)
            case ellipse(radii: SIMD2<Double>)
            case parabola(focal: Double)
            case hyperbola(radii: SIMD2<Double>)
            case nurbs(Nurbs)
            /// None that is known, or without its numbers; a spline from before 1.5 was settled among them.
            case unknown
        }
        public var sid: String?
        public var name: String?
        public var position: XMLPosition
        public var form: Form
        public var placement: Placement
    }

    public struct Nurbs: Sendable, Equatable {
        /// Along u, and for a surface along v.
        public var degrees: [Int]
        public var ends: [Spline.Ends]
        public var sources: [Source]
        public var controlVertices: [Input]
    }

    public struct Surface: Sendable, Equatable {
        public enum Form: Sendable, Equatable {
            /// The four numbers a b c d of ax + by + cz + d = 0.
            case plane(equation: SIMD4<Double>)
            case sphere(radius: Double)
            /// From the centre to the tube's, then the tube's own.
            case torus(radii: SIMD2<Double>)
            case cylinder(radius: Double)
            /// Half the opening, in degrees.
            case cone(radius: Double, angle: Double)
            case nurbs(Nurbs)
            case swept(Sweep)
            case unknown
        }
        public var sid: String?
        public var name: String?
        public var position: XMLPosition
        public var form: Form
        public var placement: Placement
    }

    /// A curve moved along a direction or around an axis.
    public struct Sweep: Sendable, Equatable {
        public enum Path: Sendable, Equatable {
            case extrusion(direction: SIMD3<Double>)
            case revolution(origin: SIMD3<Double>, axis: SIMD3<Double>)
            case unknown
        }
        public var curve: Curve?
        public var path: Path
    }

    /// One level of a brep: edges of curves and vertices, wires of edges, faces of surfaces and wires, …
    public struct Topology: Sendable, Equatable {
        public enum Kind: String, Sendable, CaseIterable {
            case edges, wires, faces, pcurves, shells, solids
        }
        public var kind: Kind
        public var id: String?
        public var name: String?
        public var position: XMLPosition
        /// The `count` attribute; `nil` when missing or no number.
        public var count: Int?
        public var inputs: [Input]
        /// Parts of each element; empty for edges, and when only figures were asked for, as is ``indices``.
        public var partCounts: [Int32]
        public var indices: [Int32]
        /// Elements by what is written: by the indices for edges, else by `vcount`.
        public var elements: Int
    }
}

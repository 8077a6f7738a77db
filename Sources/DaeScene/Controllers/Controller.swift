extension Dae {
    /// What deforms a mesh. A controller may stand on another one: a skin over a morph, or a morph over a skin.
    public struct Controller: Sendable, Equatable {
        /// What a controller does.
        public enum Kind: Sendable, Equatable {
            case skin(Skin)
            case morph(Morph)
        }
        /// What a controller deforms.
        public enum Source: Sendable, Equatable {
            case geometry(SceneIndex<Geometry>)
            case controller(SceneIndex<Controller>)
        }
        /// The element's `id`; `nil` where it has none.
        public var id: String?
        /// The element's `name`, for people; `nil` where it has none.
        public var name: String?
        /// `nil` when it is neither a skin nor a morph.
        public var kind: Kind?
        /// `nil` when it leads nowhere, or back to this controller.
        public var source: Source?
        /// The mesh at the end of its chain of sources; `nil` when there is none.
        public var base: SceneIndex<Geometry>?

        package init(id: String?, name: String?, kind: Kind?, source: Source?, base: SceneIndex<Geometry>?) {
            self.id = id
            self.name = name
            self.kind = kind
            self.source = source
            self.base = base
        }

        @inlinable
        package var isSkin: Bool {
            switch kind {
            case .skin: true
            case .morph, nil: false
            }
        }

        /// Moves the mesh into the skin's bind shape; identity for a morph.
        package var bindShape: Matrix4 {
            switch kind {
            case .skin(let skin): skin.bindShape
            case .morph, nil: .identity
            }
        }
    }
}

extension Scene {
    /// The controllers from the given one down to its mesh, itself first; each once, even where sources are a cycle.
    package func chain(from controller: Dae.SceneIndex<Dae.Controller>) -> [Dae.SceneIndex<Dae.Controller>] {
        var chain: [SceneIndex<Controller>] = []
        var seen = Set<Int>()
        var next = Optional(controller)
        while let index = next, controllers.indices.contains(index.value), seen.insert(index.value).inserted {
            chain.append(index)
            switch controllers[index].source {
            case .controller(let below): next = below
            case .geometry, nil: next = nil
            }
        }
        return chain
    }

    /// The first skin of a controller's chain, whose joints its instances are bound to; `nil` without one.
    package func skin(of controller: Dae.SceneIndex<Dae.Controller>) -> Dae.Skin? {
        for index in chain(from: controller) {
            switch controllers[index].kind {
            case .skin(let skin): return skin
            case .morph, nil: continue
            }
        }
        return nil
    }
}

extension Dae {
    /// Blends a mesh with others of the same vertices.
    public struct Morph: Sendable, Equatable {
        /// How the weights of targets are meant.
        public enum Method: String, Sendable, CaseIterable {
            /// (1 − Σw) × base + Σ w × target.
            case normalized = "NORMALIZED"
            /// Base + Σ w × target.
            case relative = "RELATIVE"
        }
        /// A shape that a mesh is blended with.
        public struct Target: Sendable, Equatable {
            /// As the document writes it.
            package var reference: String
            /// `nil` when it leads to no mesh.
            public var geometry: SceneIndex<Geometry>?

            package init(reference: String, geometry: SceneIndex<Geometry>?) {
                self.reference = reference
                self.geometry = geometry
            }
        }
        /// How its weights are meant.
        public var method: Method
        /// The shapes it blends with, in the document's order.
        public var targets: [Target]
        /// One a target, 0 where the document gives none; empty where only figures were read.
        public var weights: [Double]

        package init(method: Method, targets: [Target], weights: [Double]) {
            self.method = method
            self.targets = targets
            self.weights = weights
        }
    }

    /// Binds the vertices of a mesh to joints.
    public struct Skin: Sendable, Equatable {
        /// Moves the mesh into its bind shape, before anything else.
        public var bindShape: Matrix4
        /// The joints as the document writes them; which nodes they are, each instance's ``Skeleton`` says.
        public var joints: [String]
        /// From the bind shape's space into that of each joint; one a joint.
        public var inverseBinds: [Matrix4]
        /// Which joints move each vertex, and how much.
        public var influences: SkinInfluences

        package init(bindShape: Matrix4, joints: [String], inverseBinds: [Matrix4], influences: SkinInfluences) {
            self.bindShape = bindShape
            self.joints = joints
            self.inverseBinds = inverseBinds
            self.influences = influences
        }
    }

    /// Which joints move each vertex, and how much: the document's own arrays, shared with it.
    public struct SkinInfluences: Sendable, Equatable {
        /// What an influence names.
        public enum Joint: Sendable, Equatable {
            /// Into the skin's joints.
            case joint(Int)
            /// No joint but the bind shape itself: the index −1.
            case bindShape
        }
        /// Influences of each vertex, in the mesh's order.
        package var counts: NumberArray<Int32>
        /// For each influence ``stride`` indices.
        package var indices: NumberArray<Int32>
        /// At least 1.
        package var stride: Int
        /// Which of an influence's indices is its joint's; `nil` without.
        package var jointOffset: Int?
        /// Which of an influence's indices is its weight's; `nil` without.
        package var weightOffset: Int?
        package var weights: NumberList

        package init(
            counts: NumberArray<Int32>, indices: NumberArray<Int32>, stride: Int, jointOffset: Int?, weightOffset: Int?,
            weights: NumberList
        ) {
            self.counts = counts
            self.indices = indices
            self.stride = max(1, stride)
            self.jointOffset = jointOffset
            self.weightOffset = weightOffset
            self.weights = weights
        }

        package static let none = SkinInfluences(
            counts: [], indices: [], stride: 1, jointOffset: nil, weightOffset: nil, weights: NumberList([]))

        /// Visits every influence in the order of vertices; what leads to no joint or no weight is left out.
        ///
        /// - Parameters:
        ///   - joints: Joints that the skin has; a higher index leads nowhere.
        ///   - visit: Gets the vertex (from 0, below `counts.count`), what moves it, and the weight as it is written, which
        ///     may be 0 or negative; the weights of a vertex need not sum up to 1.
        public func forEach(joints: Int, _ visit: (_ vertex: Int, _ joint: Joint, _ weight: Double) -> Void) {
            guard let jointOffset, let weightOffset, jointOffset < stride, weightOffset < stride else { return }
            let (counts, indices) = (counts.span, indices.span)
            var at = 0
            for vertex in counts.indices {
                var left = counts[vertex]
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
}

/// Numbers within an array that is shared, one a place: number i stands at `offset + i × stride`.
package struct NumberList: Sendable, Equatable {
    package let values: NumberArray<Double>
    package let offset: Int
    package let stride: Int
    /// Numbers that `values` really holds.
    package let count: Int

    /// All of an array.
    package init(_ values: NumberArray<Double>) {
        self.init(values, offset: 0, stride: 1, count: values.count)
    }

    /// - Parameter count: At most; fewer where the array is shorter.
    package init(_ values: NumberArray<Double>, offset: Int, stride: Int, count: Int) {
        self.values = values
        self.offset = max(0, offset)
        self.stride = max(1, stride)
        let after = values.count - self.offset - 1
        self.count = after < 0 ? 0 : max(0, min(count, after / self.stride + 1))
    }

    /// The same numbers, one behind the other, where `keep` puts them.
    package func keepingNumbers(_ keep: (NumberArray<Double>) -> NumberArray<Double>) -> NumberList {
        let isWhole = offset == 0 && stride == 1 && count == values.count
        return NumberList(keep(isWhole ? values : NumberArray((0..<count).map { self[$0] })))
    }

    /// - Parameter index: 0..<``count``.
    package subscript(index: Int) -> Double { values[offset + index * stride] }
}

extension Dae {
    /// The nodes that one instance of a skin is bound to.
    public struct Skeleton: Sendable, Equatable {
        package struct Root: Sendable, Equatable {
            /// As the document writes it.
            package var reference: String
            /// `nil` when it leads to no node.
            package var node: SceneIndex<Node>?

            package init(reference: String, node: SceneIndex<Node>?) {
                self.reference = reference
                self.node = node
            }
        }
        /// Where joints are looked for, in this order; empty where the instance names none: then in the whole scene.
        package var roots: [Root]
        /// One for each of the skin's joints; `nil` for one that was not found. Empty for a morph alone.
        public var joints: [SceneIndex<Node>?]

        /// What moves all that the joints have posed.
        package enum Carrier: Sendable, Equatable {
            /// Nothing. What the instance's node does is in the skin's matrices, or moves the joints as well.
            case none
            /// The instance's node and those around it, up to one that is around the joints, too: that one is given, `nil`
            /// where they have only the scene in common.
            case node(below: SceneIndex<Node>?)
        }
        package var carrier: Carrier

        package init(roots: [Root], joints: [SceneIndex<Node>?], carrier: Carrier = .none) {
            self.roots = roots
            self.joints = joints
            self.carrier = carrier
        }

        package static let none = Skeleton(roots: [], joints: [])
    }
}

/// The joints of one instance of a skin where it stands, and what carries it.
package struct Rig: Sendable {
    /// Places of the skin's joints in the unfolded scene; `nil` for one that is not there.
    package let joints: [Int?]
    /// What moves all that the joints have posed.
    package enum Carrier: Sendable, Equatable {
        case none
        /// All between two places, the lower one with it; `nil` for all below the scene. Nodes right below the outer one
        /// that are no elements (``UnfoldedScene/frame(of:below:in:)``) are no part of it: they move the joints, too.
        case places(Int, below: Int?)
    }
    package let carrier: Carrier

    /// - Parameter place: Of the instance's node.
    package init(_ skeleton: Skeleton, at place: Int, in unfolded: inout UnfoldedScene, of scene: Scene) {
        var joints: [Int?] = []
        joints.reserveCapacity(skeleton.joints.count)
        for joint in skeleton.joints { joints.append(joint.flatMap { unfolded.place(of: $0, nearestTo: place) }) }
        self.joints = joints
        switch skeleton.carrier {
        case .none: carrier = .none
        case .node(let around):
            // A node that only converts stands there for the mesh, which a skin takes into its own space.
            var carrying = place
            while !scene.nodes[unfolded.node(at: carrying)].role.isElement,
                let parent = unfolded.parent(of: carrying)
            {
                carrying = parent
            }
            carrier = .places(carrying, below: around.flatMap { unfolded.place(of: $0, nearestTo: place) })
        }
    }
}

extension UnfoldedScene {
    /// What is around a place that is moved against others, and stays: the lowest of the nodes that, beginning right below
    /// an outer place, are no elements, else that place. Each part of a scene may have such nodes of its own.
    ///
    /// - Parameter outer: Around the place or the same; `nil` for the scene.
    package func frame(of place: Int, below outer: Int?, in scene: Scene) -> Int? {
        var frame = outer
        var next = Optional(place)
        while let at = next, at != outer {
            // What is below an element moves a part only.
            if scene.nodes[node(at: at)].role.isElement { frame = outer } else if frame == outer { frame = at }
            next = parent(of: at)
        }
        return frame
    }
}

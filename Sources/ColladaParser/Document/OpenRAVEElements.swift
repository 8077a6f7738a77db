// What OpenRAVE adds to COLLADA's robots by `<extra>`, where it has a meaning here; all of it is kept as extras too.
//
// Source: the OpenRAVE manual, "COLLADA Robot Extensions".

public import SceneModel

extension ColladaDocument {
    public struct OpenRAVEExtension: Sendable {
        public struct Manipulator: Sendable {
            public var name: String?
            public var origin: String?
            public var tip: String?
            /// From the tool's frame to the tip's.
            public var tool: [Transform]
            public var direction: SIMD3<Double>?
            public var gripperJoints: [String]
        }
        /// The class that drives it.
        public var interface: String?
        public var manipulators: [Manipulator] = []
        /// Addresses of links that `<link_collision_state>` takes out of collisions.
        public var noncolliding: [String] = []
        /// The types of the extensions that are there, each once, in order.
        public var types: [String] = []
    }
}

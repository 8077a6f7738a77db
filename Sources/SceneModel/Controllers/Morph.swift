/// Blends a mesh with others of the same vertices.
public struct Morph: Sendable, Equatable {
    public enum Method: String, Sendable, CaseIterable {
        /// (1 − Σw) × base + Σ w × target.
        case normalized = "NORMALIZED"
        /// Base + Σ w × target.
        case relative = "RELATIVE"
    }
    public struct Target: Sendable, Equatable {
        /// As the document writes it.
        public var reference: String
        /// `nil` when it leads to no mesh.
        public var geometry: SceneIndex<Geometry>?

        public init(reference: String, geometry: SceneIndex<Geometry>?) {
            self.reference = reference
            self.geometry = geometry
        }
    }
    public var method: Method
    public var targets: [Target]
    /// One a target, 0 where the document gives none; empty where only figures were read.
    public var weights: [Double]

    public init(method: Method, targets: [Target], weights: [Double]) {
        self.method = method
        self.targets = targets
        self.weights = weights
    }
}

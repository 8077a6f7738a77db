public import SceneModel
public import XMLReader

extension ColladaDocument {
    public struct Camera: Sendable {
        public var position: XMLPosition
        public var camera: SceneModel.Camera
        /// By the sids that channels address them with.
        public var parameters: [String: AnimationTarget.CameraParameter]
    }

    public struct Light: Sendable {
        public var position: XMLPosition
        public var light: SceneModel.Light
        /// By the sids that channels address them with.
        public var parameters: [String: AnimationTarget.LightParameter]
    }

    public struct Node: Sendable {
        /// What is within a node beside its transforms, in the file's order.
        public enum Content: Sendable {
            /// Into ``ColladaDocument/nodes``.
            case node(Int)
            case instanceNode(Reference)
            case instanceGeometry(Reference, materials: [InstanceMaterial])
            /// With the roots of its skeleton.
            case instanceController(Reference, skeletons: [Reference], materials: [InstanceMaterial])
            case instanceCamera(Reference)
            case instanceLight(Reference)
            /// 1.3: what it instances shows by the target.
            case instance(Reference)
        }
        /// What it is by itself; the scene's node has the same where only figures are read.
        var record: NodeRecord
        public var position: XMLPosition
        public internal(set) var contents: Contents

        public var id: String? { record.id }
        public var name: String? { record.name }
        public var sid: String? { record.sid }
        public var kind: SceneModel.Node.Kind { record.kind }
        /// In the file's order.
        public var transforms: [Transform] { record.transforms }
        /// The transforms' sids, in their order; empty where none has one.
        public var transformSIDs: [String?] { record.transformSIDs }
    }

    /// The sid of an instance within a node; its place in the file is its reference's.
    public struct InstanceSID: Sendable {
        /// Into the node's ``Node/contents``.
        public var content: Int
        public var sid: String
    }

    public struct InstanceMaterial: Sendable {
        public var symbol: String
        public var target: Reference
        public var vertexInputs: [MaterialBinding.VertexInput] = []
        public var parameters: [MaterialBinding.Parameter] = []
    }
}

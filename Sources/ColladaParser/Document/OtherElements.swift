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
        public var id: String?
        public var name: String?
        public var sid: String? {
            switch rareSID {
            case .text(let sid)?: sid
            case nil: nil
            }
        }
        /// Elsewhere, since few nodes have one.
        var rareSID: RareText?
        public var position: XMLPosition
        public var kind: SceneModel.Node.Kind
        /// In the file's order.
        public var transforms: [Transform] { transformList.transforms }
        /// The scene's node has the same where only figures are read.
        var transformList: TransformList
        /// The transforms' sids, in their order; empty where none has one.
        public var transformSIDs: [String?] = []
        public internal(set) var contents: Contents
    }

    /// A text for which there is to be no room where it is not.
    indirect enum RareText: Sendable {
        case text(String)
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

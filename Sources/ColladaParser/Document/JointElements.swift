public import SceneModel
public import XMLReader

extension ColladaDocument {
    public struct Joint: Sendable {
        public var id: String?
        public var sid: String?
        public var name: String?
        public var position: XMLPosition
        public var axes: [JointAxis]
        public var extras: [Extra]
    }

    /// A joint that stands in a kinematics model.
    public enum ModelJoint: Sendable {
        /// Into ``ColladaDocument/joints``.
        case own(Int)
        case instance(sid: String?, name: String?, Reference)
    }

    public struct Link: Sendable {
        public var sid: String?
        public var name: String?
        public var position: XMLPosition
        /// Translations and rotations.
        public var transforms: [Transform]
        public var attachments: [Attachment]
    }

    public struct Attachment: Sendable {
        public enum Kind: Sendable {
            /// Into the links of the same model; `nil` where none stands within.
            case full(link: Int?)
            case start, end
        }
        public var kind: Kind
        /// The address of a joint.
        public var joint: Reference
        public var transforms: [Transform]
    }
}

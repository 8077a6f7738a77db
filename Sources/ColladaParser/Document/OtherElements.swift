public import Diagnostics
public import SceneModel
public import XMLReader

extension ColladaDocument {
    public struct Effect: Sendable, Hashable {
        public var id: String?
        public var name: String?
        public var position: XMLPosition
        /// Of the common profile; `nil` without one.
        public var shading: Shading?
        /// The `texture` attributes within its technique, in order.
        public var textures: [String]
        /// By sid.
        public var parameters: [String: Parameter]

        public enum Parameter: Sendable, Hashable {
            /// By the image's id, as 1.4 has it.
            case surface(image: String)
            /// By the sid of a surface.
            case sampler(surface: String)
            /// By the image's address, as 1.5 has it.
            case imageSampler(Reference)
            case other
        }
    }

    public struct Material: Sendable, Hashable {
        public var id: String?
        public var name: String?
        public var position: XMLPosition
        public var effect: Reference?
    }

    public struct Image: Sendable, Hashable {
        public var id: String?
        public var name: String?
        public var position: XMLPosition
        public var content: ImageContent

        /// Its place, for a finding about its file.
        public func place(in entry: String) -> Place {
            var place = Place(position)
            place.entry = entry
            place.elementID = id
            return place
        }
    }

    public struct Camera: Sendable, Hashable {
        public var position: XMLPosition
        public var camera: SceneModel.Camera
    }

    public struct Light: Sendable, Hashable {
        public var position: XMLPosition
        public var light: SceneModel.Light
    }

    public struct Node: Sendable, Hashable {
        public struct PlacedTransform: Sendable, Hashable {
            public var sid: String?
            public var transform: Transform
        }
        /// What is within a node beside its transforms, in the file's order.
        public enum Content: Sendable, Hashable {
            /// Into ``ColladaDocument/nodes``.
            case node(Int)
            case instanceNode(Reference)
            case instanceGeometry(Reference, materials: [InstanceMaterial])
            case instanceController(Reference, materials: [InstanceMaterial])
            case instanceCamera(Reference)
            case instanceLight(Reference)
            /// 1.3: what it instances shows by the target.
            case instance(Reference)
        }
        public var id: String?
        public var name: String?
        public var sid: String?
        public var position: XMLPosition
        public var kind: SceneModel.Node.Kind
        public var transforms: [PlacedTransform]
        public var contents: [Content]
    }

    public struct InstanceMaterial: Sendable, Hashable {
        public var symbol: String
        public var target: Reference
    }
}

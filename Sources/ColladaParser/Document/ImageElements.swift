public import Diagnostics
public import SceneModel
public import XMLReader

extension ColladaDocument {
    public struct Image: Sendable {
        public var id: String?
        public var name: String?
        public var position: XMLPosition
        /// Of the first picture that names anything.
        public var content: ImageContent
        public var shape: ImageShape
        /// Every picture of an image of 1.5 that is made of several, or of one that is not simply all of it.
        public var parts: [ImagePart]

        /// Its place, for a finding about its file.
        public func place(in entry: String) -> Place {
            var place = Place(position)
            place.entry = entry
            place.elementID = id
            return place
        }
    }
}

public import SceneModel

extension ColladaDocument {
    /// Who made a document, and in which units and axes.
    public struct Asset: Sendable, Hashable {
        public struct Unit: Sendable, Hashable {
            public var name: String?
            /// Metres in one unit; `nil` when it is no positive number.
            public var meter: Double?
        }
        public var contributors: [Contributor] = []
        public var created: String?
        public var modified: String?
        public var title: String?
        public var keywords: String?
        public var revision: String?
        public var subject: String?
        /// `nil` when the file gives none.
        public var unit: Unit?
        /// `nil` when the file gives none; y up for one that does not exist.
        public var upAxis: Scene.UpAxis?
    }

    public struct Contributor: Sendable, Hashable {
        public var author: String?
        public var authoringTool: String?
        public var comments: String?
        public var copyright: String?
        public var sourceData: String?
    }
}

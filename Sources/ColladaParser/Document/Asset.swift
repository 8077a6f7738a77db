public import SceneModel
public import XMLReader

extension ColladaDocument {
    /// Who made a document, and in which units and axes.
    public struct Asset: Sendable {
        public struct Unit: Sendable {
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
        /// 1.5: where on earth it is.
        public var location: GeographicLocation?
        /// `nil` when the file gives none.
        public var unit: Unit?
        /// `nil` when the file gives none; y up for one that does not exist.
        public var upAxis: Scene.UpAxis?
    }

    public struct Contributor: Sendable {
        public var author: String?
        /// 1.5.
        public var authorEmail: String?
        /// 1.5.
        public var authorWebsite: String?
        public var authoringTool: String?
        public var comments: String?
        public var copyright: String?
        public var sourceData: String?
    }

    /// A place on earth, on the ellipsoid of WGS 84.
    public struct GeographicLocation: Sendable {
        public enum AltitudeMode: String, Sendable, CaseIterable {
            case absolute, relativeToGround
        }
        /// Degrees, east of Greenwich; −180...180.
        public var longitude: Double
        /// Degrees, north of the equator; −90...90.
        public var latitude: Double
        /// Metres, above sea level or above the ground.
        public var altitude: Double
        public var altitudeMode: AltitudeMode
    }

    /// The asset of a library or of a single element: its unit and axis count for all within.
    public struct NestedAsset: Sendable {
        public var asset: Asset
        /// The name of the element it is about.
        public var owner: String
        public var position: XMLPosition
        /// Where the element it is about begins and ends, in bytes of the document.
        var start: Int64
        var end: Int64
    }
}

public import Archive
public import ColladaParser
public import Diagnostics
public import SceneModel

/// The rules over a whole: what is asked of a scene, its documents and their bundle once all of them were read.
///
/// Faults that reading meets on its way are told by the reader.
public enum SceneRules {
    /// What the rules look at.
    public struct Subject: Sendable {
        public var bundle: Bundle
        /// Where the scene's document is in the bundle.
        public var entry: String
        /// That document by itself.
        public var document: ColladaDocument
        /// With all that it refers to.
        public var linked: LinkedDocument
        /// What they mean.
        public var scene: Scene

        public init(
            bundle: Bundle, entry: String, document: ColladaDocument, linked: LinkedDocument, scene: Scene
        ) {
            self.bundle = bundle
            self.entry = entry
            self.document = document
            self.linked = linked
            self.scene = scene
        }
    }

    /// Holds every rule against a subject; findings come in the rules' order, and in the document's order within each.
    public static func findings(in subject: Subject) -> FindingLog {
        var log = FindingLog()
        var told = FindingLog()
        SceneChoiceRules.check(subject, &told)
        log.merge(told, entry: subject.entry)
        return log
    }
}

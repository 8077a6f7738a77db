package import DaeCollada
package import DaeDiagnostics
package import DaeScene

/// The rules over a whole: what is asked of a scene, its documents and their bundle once all of them were read.
///
/// Faults that reading meets on its way are reported by the reader.
package enum SceneRules {
    /// What the rules look at.
    package struct Subject: Sendable {
        /// Where the scene's document is in the bundle.
        package var entry: String
        /// That document by itself.
        package var document: ColladaDocument
        /// With all that it refers to.
        package var linked: LinkedDocument
        /// What they mean.
        package var scene: Scene
        package var measures: Measures
        /// What was reported before, which is not reported again.
        package var reported: FindingLog

        package init(
            entry: String, document: ColladaDocument, linked: LinkedDocument, scene: Scene,
            measures: Measures, reported: FindingLog = FindingLog()
        ) {
            self.reported = reported
            self.entry = entry
            self.document = document
            self.linked = linked
            self.scene = scene
            self.measures = measures
        }
    }

    /// What was measured of a subject before.
    package struct Measures: Sendable {
        package var census: SceneCensus
        /// `nil` without a mesh.
        package var sizeInMeters: SIMD3<Double>?
        /// Entries of the bundle that nothing refers to.
        package var unused: [String]
        /// Groups of entries that hold the same bytes.
        package var duplicates: [[String]]

        package init(census: SceneCensus, sizeInMeters: SIMD3<Double>?, unused: [String], duplicates: [[String]]) {
            self.census = census
            self.sizeInMeters = sizeInMeters
            self.unused = unused
            self.duplicates = duplicates
        }
    }

    /// Holds every rule against a subject; findings come in the rules' order, and in the document's order within each.
    package static func findings(in subject: Subject) -> FindingLog {
        var reported = FindingLog()
        BundleRules.check(subject, &reported)
        AddressRules.check(subject, &reported)
        SidRules.check(subject, &reported)
        SidPathRules.check(subject, &reported)
        UseRules.check(subject, &reported)
        SourceRules.check(subject, &reported)
        InputRules.check(subject, &reported)
        SceneChoiceRules.check(subject, &reported)
        TransformRules.check(subject, &reported)
        NodeRules.check(subject, &reported)
        ColorRules.check(subject, &reported)
        PerformanceRules.check(subject, &reported)
        var log = FindingLog()
        log.merge(reported, entries: [subject.entry] + subject.linked.paths.dropFirst())
        return log
    }
}

/// How many of something there are, and which is the first, from 0.
struct Tally {
    private(set) var count = 0
    private(set) var first = 0

    mutating func add(_ index: Int) {
        if count == 0 { first = index }
        count += 1
    }
}

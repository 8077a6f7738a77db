package import DaeCollada
package import DaeDiagnostics
package import DaeScene
import DaeXML

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

/// What is right and yet slow to draw.
enum PerformanceRules {
    /// A mesh of one material a part has a few dozen at most; more are faces that were never joined.
    static let mostPrimitives = 100
    /// Browsers and phones spend a frame of 16 ms on some thousand.
    static let mostDrawCalls = 1000
    /// What an unsigned index of 16 bits reaches, without the one that restarts a strip.
    static let mostVertices = 65_535
    /// Metres: beyond, a model on earth has lost its unit, and floats of 32 bits their millimetres.
    static let largestSize = 10_000.0
    /// Metres: below, nothing of it can be seen.
    static let smallestSize = 0.0001

    static func check(_ subject: SceneRules.Subject, _ log: inout FindingLog) {
        checkSize(subject, &log)
        for index in subject.measures.census.geometries.map(\.value) {
            let measure = subject.scene.geometries[index].measure
            func place() -> Place {
                let geometries = subject.linked.document.geometries.span
                return Place(geometries[index].position, of: geometries[index].id)
            }
            if measure.submeshes > mostPrimitives {
                log.add(
                    .perfManyPrimitives, at: place(),
                    "the mesh has \(measure.submeshes) primitive elements; more than \(mostPrimitives) are slow to draw",
                    arguments: [.init("primitives", "\(measure.submeshes)"), .init("limit", "\(mostPrimitives)")])
            }
            if measure.positions > mostVertices {
                log.add(
                    .perfIndex32Bit, at: place(),
                    "the mesh has \(measure.positions) positions; indices of 16 bits reach \(mostVertices)",
                    arguments: [.init("positions", "\(measure.positions)"), .init("limit", "\(mostVertices)")])
            }
        }
        let calls = subject.measures.census.drawCalls
        guard calls > mostDrawCalls else { return }
        log.add(
            .perfDrawCalls, at: place(of: subject),
            "the scene takes \(calls) draw calls, one for each part of each instance; more than \(mostDrawCalls) are slow",
            arguments: [.init("drawCalls", "\(calls)"), .init("limit", "\(mostDrawCalls)")])
    }

    private static func checkSize(_ subject: SceneRules.Subject, _ log: inout FindingLog) {
        guard let size = subject.measures.sizeInMeters?.max(), size > largestSize || size < smallestSize, size > 0
        else { return }
        let short = Float(size)
        let text = short.isFinite && short > 0 ? "\(short)" : "\(size)"
        log.add(
            .assetSizeImplausible, at: place(of: subject),
            "the scene is \(text) metres long; a model is mostly between \(smallestSize) and \(largestSize)",
            arguments: [
                .init("size", "\(size)"), .init("least", "\(smallestSize)"), .init("most", "\(largestSize)"),
            ])
    }

    /// Where the scene is that is shown.
    private static func place(of subject: SceneRules.Subject) -> Place {
        let shown = subject.linked.document.visualScenes.first { $0.id == subject.scene.id }
        return shown.map { Place($0.position) } ?? Place()
    }
}

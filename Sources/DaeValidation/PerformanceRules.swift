import DaeCollada
import DaeDiagnostics
import DaeScene
import DaeXML

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

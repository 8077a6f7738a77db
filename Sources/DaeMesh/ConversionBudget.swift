// A kilobyte can ask for terabytes: names times instances, keys times nodes, turns without end. Each part of a conversion
// is bounded by itself, and the whole here.

public import DaeDiagnostics
import Synchronization

/// What one conversion may use, counted while it goes on; whatever is hit first ends it.
///
/// A class, for an exporter and who decodes its images share it.
package final class ConversionBudget: Sendable {
    package struct Limits: Sendable, Equatable {
        /// Bytes that are written; `nil` for 256 MiB and 64 times the bytes read, at most 4 GiB.
        package var output: Int?
        /// Keys of animations, those of each node that has them.
        package var keys = 20_000_000
        /// Vertices of morph targets, those of each target.
        package var targetVertices = 20_000_000
        /// Steps of work on morph targets, beside 16 for each byte of the source: for each target and each attribute that
        /// it may change, one a corner at least, and 2,048 for the target itself.
        package var targetWork = 500_000_000
        /// Joints of instances of skins, those of each instance, beside one for each byte of the source.
        package var joints = 1_000_000
        /// Pixels that are decoded, beside 1,000 for each byte of the images.
        package var pixels = 64_000_000
        /// Pixels that are decoded at most, however large the images are.
        package var mostPixels = 1_000_000_000
        /// Moments at which moving transforms are evaluated, beside one for each byte of the source; each counts once
        /// for every eight transforms and channels.
        package var evaluations = 2_000_000

        package init() {}
    }

    private struct State {
        var (output, keys, targetVertices, targetWork, joints) = (0, 0, 0, 0, 0)
        var (pixels, imageBytes, evaluations) = (0, 0, 0)
        var failure: SceneExportError?
    }

    private let limits: Limits
    /// Bytes of the source.
    private let read: Int
    private let state = Mutex(State())

    /// - Parameter read: Bytes of the source: an archive's own, else those of the document.
    package init(_ limits: Limits = Limits(), read: Int64 = 0) {
        self.limits = limits
        self.read = max(0, Int(clamping: read))
    }

    /// Bytes that are written of a source where nobody says otherwise: 256 MiB and 64 times the bytes read, at most 4 GiB.
    package static func outputLimit(read: Int64) -> Int {
        let (least, most) = (256 << 20, 4 << 30)
        return min(most, least + min(most, Int(clamping: max(0, read))) * 64)
    }

    /// - Throws: What was hit before.
    package func check() throws(SceneExportError) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    // MARK: - Counting

    package func write(_ bytes: Int) throws(SceneExportError) {
        try count(bytes, \.output, outputLimit) {
            SceneExportError(
                .outputTooLarge, "the result would have more than \($0) bytes, which is what may be written")
        }
    }

    /// Without counting it.
    package func check(output bytes: Int) throws(SceneExportError) {
        let limit = outputLimit
        guard bytes <= limit else {
            throw SceneExportError(
                .outputTooLarge, "the result would have \(bytes) bytes; \(limit) is what may be written")
        }
    }

    package func add(keys: Int) throws(SceneExportError) {
        try count(keys, \.keys, limits.keys) {
            SceneExportError(.convertWorkExceeded, "the animations would have more than \($0) keys; see --fps")
        }
    }

    /// - Parameter targets: As many of which have the vertices each.
    func add(targetVertices: Int, of targets: Int) throws(SceneExportError) {
        let all = targetVertices.multipliedReportingOverflow(by: targets)
        try count(all.overflow ? .max : all.partialValue, \.targetVertices, limits.targetVertices, Self.targets)
    }

    /// Without counting them.
    func check(targetVertices: Int, of targets: Int) throws(SceneExportError) {
        let all = targetVertices.multipliedReportingOverflow(by: targets)
        let known = state.withLock { $0.targetVertices }
        if all.overflow || all.partialValue > limits.targetVertices - min(known, limits.targetVertices) {
            throw Self.targets(limits.targetVertices)
        }
    }

    private static func targets(_ limit: Int) -> SceneExportError {
        SceneExportError(.convertWorkExceeded, "the morph targets would have more than \(limit) vertices")
    }

    /// - Parameters:
    ///   - corners: Of what is drawn with all the targets.
    ///   - cost: Steps for one corner and one target, over all attributes.
    ///   - attributes: How many those are.
    func blend(corners: Int, targets: Int, cost: Int = 1, attributes: Int = 1) throws(SceneExportError) {
        let one = corners.multipliedReportingOverflow(by: cost)
        let flat = Self.targetCost.multipliedReportingOverflow(by: attributes)
        let sum = one.partialValue.addingReportingOverflow(flat.partialValue)
        let all = sum.partialValue.multipliedReportingOverflow(by: targets)
        let isHuge = one.overflow || flat.overflow || sum.overflow || all.overflow
        try count(isHuge ? .max : all.partialValue, \.targetWork, limits.targetWork + 16 * min(read, 1 << 40)) { _ in
            SceneExportError(
                .convertWorkExceeded,
                "the morph targets are more, or change more corners, than can be blended with what the document's size allows"
            )
        }
    }

    /// Of one target beside its corners, much of it memory.
    private static let targetCost = 2048

    /// - Parameter joints: Of one instance.
    func bind(joints: Int) throws(SceneExportError) {
        try count(joints, \.joints, limits.joints + min(read, 1 << 40)) {
            SceneExportError(.convertWorkExceeded, "the instances of skins would have more than \($0) joints")
        }
    }

    /// - Parameter cost: Transforms and channels that each evaluation looks at.
    /// - Returns: Whether they may be made; if not, ``check()`` throws from then on.
    func evaluate(_ times: Int, cost: Int = 0) -> Bool {
        let steps = times.multipliedReportingOverflow(by: 1 + cost / 8)
        let limit = limits.evaluations + min(read, 1 << 40)
        do throws(SceneExportError) {
            try count(steps.overflow ? .max : steps.partialValue, \.evaluations, limit) { _ in
                SceneExportError(
                    .convertWorkExceeded,
                    "the animations move further or along more curves than can be followed with what the document's size allows; see --fps"
                )
            }
            return true
        } catch { return false }
    }

    /// Bytes of an image's file: the more, the more pixels may come of it.
    package func read(imageBytes: Int) { state.withLock { $0.imageBytes += max(0, imageBytes) } }

    /// - Returns: Whether they may be decoded; if not, the conversion ends when the image is asked for.
    package func decode(pixels: Int) -> Bool {
        let bytes = min(state.withLock { $0.imageBytes }, limits.mostPixels)
        let limit = min(limits.mostPixels, limits.pixels + bytes * 1000)
        do throws(SceneExportError) {
            try count(pixels, \.pixels, limit) {
                SceneExportError(
                    .convertWorkExceeded,
                    "the images have more than \($0) pixels to decode, which is what files of their size may have")
            }
            return true
        } catch { return false }
    }

    private var outputLimit: Int {
        if let output = limits.output { return output }
        let images = state.withLock { $0.imageBytes }
        return Self.outputLimit(read: Int64(clamping: min(read, .max / 2) + min(images, .max / 2)))
    }

    private func count(
        _ more: Int, _ counter: WritableKeyPath<State, Int>, _ limit: Int,
        _ failure: (Int) -> SceneExportError
    ) throws(SceneExportError) {
        let known: SceneExportError? = state.withLock { state in
            let sum = state[keyPath: counter].addingReportingOverflow(max(0, more))
            state[keyPath: counter] = sum.overflow ? .max : sum.partialValue
            if state.failure == nil, sum.overflow || sum.partialValue > limit { state.failure = failure(limit) }
            return state.failure
        }
        if let known { throw known }
    }
}

/// Why a scene was not written.
public struct SceneExportError: CodedError {
    /// What kind of failure it is.
    public var code: FindingCode
    /// Where in the document it is; empty where that says nothing.
    public var place: Place
    /// What is wrong and what was expected, as one sentence for people.
    public var message: String
    /// What would have been changed, where too much of it was: `nil` of every other error.
    public var report: FidelityReport?

    package init(
        _ code: FindingCode, at place: Place = Place(), _ message: String, report: FidelityReport? = nil
    ) {
        self.report = report
        self.code = code
        self.place = place
        self.message = message
    }

    package static var stopped: SceneExportError {
        SceneExportError(.assetCancelled, "the conversion was stopped on request")
    }
}

// What is wrong with the influences of a skin. One finding says how many of a kind there are and which is the first, so
// that a million broken weights are one line.

import DaeDiagnostics
import DaeScene

struct InfluenceMeasure {
    /// By which a sum of weights may miss 1: exporters write few digits.
    static let tolerance = 1e-3
    /// What most engines can hold of each vertex.
    private static let usualInfluences: Int32 = 4

    private let weights: ColladaDocument.VertexWeights
    private let joints: Int
    private var negativeCounts = Tally()
    private var jointsOutOfBounds = Tally()
    private var weightsOutOfBounds = Tally()
    private var negativeWeights = Tally()
    private var unnormalized = Tally()
    private var crowded = Tally()
    private var worstSum = 1.0
    private var mostInfluences: Int32 = 0
    /// Influences that the counts ask for.
    private var wanted = 0

    init(_ weights: ColladaDocument.VertexWeights, joints: Int) {
        self.weights = weights
        self.joints = joints
    }

    /// How many there are of a kind, and which is the first: a vertex, from 0.
    private struct Tally {
        var count = 0
        var first = 0

        mutating func add(_ vertex: Int) {
            if count == 0 { first = vertex }
            count += 1
        }
    }

    /// - Parameter values: What the weights' indices lead to; `nil` without.
    mutating func run(_ values: NumberList?) {
        let weights = weights
        let lanes = Lanes(
            stride: weights.stride, joint: weights.input("JOINT")?.offset,
            weight: values == nil ? nil : weights.input("WEIGHT")?.offset)
        let values = values ?? NumberList([])
        let (indices, counts) = (weights.indices.span, weights.influenceCounts.span)
        var at = 0
        for vertex in counts.indices { measure(vertex, counts[vertex], indices, &at, lanes, values) }
    }

    /// Where the indices of an influence stand.
    private struct Lanes {
        let stride: Int
        let joint: Int?
        /// `nil` too where there are no weights.
        let weight: Int?
    }

    @inline(__always)
    private mutating func measure(
        _ vertex: Int, _ count: Int32, _ indices: Span<Int32>, _ at: inout Int, _ lanes: Lanes,
        _ values: NumberList
    ) {
        if count < 0 { negativeCounts.add(vertex) }
        guard count > 0 else { return }
        wanted += Int(count)
        if count > Self.usualInfluences {
            crowded.add(vertex)
            mostInfluences = max(mostInfluences, count)
        }
        var sum = 0.0
        var left = count
        while left > 0, at <= indices.count - lanes.stride {
            if let lane = lanes.joint {
                let joint = Int(indices[at + lane])
                if joint < -1 || joint >= joints { jointsOutOfBounds.add(vertex) }
            }
            if let lane = lanes.weight {
                let index = Int(indices[at + lane])
                if index < 0 || index >= values.count {
                    weightsOutOfBounds.add(vertex)
                } else {
                    let weight = values[index]
                    if weight < 0 { negativeWeights.add(vertex) }
                    sum += weight
                }
            }
            at += lanes.stride
            left -= 1
        }
        // What is cut off is reported as such.
        guard left == 0, lanes.weight != nil, !(abs(sum - 1) <= Self.tolerance) else { return }
        unnormalized.add(vertex)
        if !(abs(sum - 1) <= abs(worstSum - 1)) { worstSum = sum }
    }

    func report(at place: Place, _ log: inout FindingLog) {
        if let count = weights.count, count != weights.vertices {
            log.add(
                .skinVcountMismatch, at: place,
                "count is \(count), but <vcount> has \(weights.vertices) numbers",
                arguments: [.init("count", "\(count)"), .init("vertices", "\(weights.vertices)")])
        }
        report(negativeCounts, .skinVcountMismatch, at: place, "numbers of influences are negative", &log)
        let (needed, overflow) = wanted.multipliedReportingOverflow(by: weights.stride)
        if overflow || needed != weights.indices.count {
            log.add(
                .skinVCount, at: place,
                "<v> has \(weights.indices.count) indices; \(wanted) influences of \(weights.stride) indices each were expected",
                arguments: [
                    .init("indices", "\(weights.indices.count)"), .init("influences", "\(wanted)"),
                    .init("stride", "\(weights.stride)"),
                ])
        }
        for semantic in ["JOINT", "WEIGHT"] where weights.input(semantic) == nil {
            log.add(
                .accessorNoSource, at: place, "<vertex_weights> has no \(semantic) input",
                arguments: [.init("semantic", semantic)])
        }
        report(
            jointsOutOfBounds, .skinJointIndexOutOfBounds, at: place,
            "influences name a joint beyond the \(joints) there are; they were left out", &log)
        report(
            weightsOutOfBounds, .skinWeightIndexOutOfBounds, at: place,
            "influences name a weight beyond those there are; they were left out", &log)
        report(negativeWeights, .skinWeightsNegative, at: place, "weights are negative", &log)
        report(
            unnormalized, .skinWeightsNotNormalized, at: place,
            "vertices have weights that do not sum up to 1, but for instance to \(worstSum)", &log)
        report(
            crowded, .skinTooManyInfluences, at: place,
            "vertices have more than \(Self.usualInfluences) influences, \(mostInfluences) at most", &log)
    }

    private func report(
        _ tally: Tally, _ code: FindingCode, at place: Place, _ what: String, _ log: inout FindingLog
    ) {
        guard tally.count > 0 else { return }
        log.add(
            code, at: place, "\(tally.count) \(what); the first at vertex \(tally.first)",
            arguments: [.init("count", "\(tally.count)"), .init("vertex", "\(tally.first)")])
    }
}

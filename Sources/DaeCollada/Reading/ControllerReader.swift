import DaeDiagnostics
import DaeScene
import DaeSchema
import DaeXML

/// Reads controllers: skins and morphs.
enum ControllerReader {
    typealias Document = ColladaDocument

    static func controller(_ view: ElementView, _ context: inout ReadingContext) -> Document.Controller {
        var controller = Document.Controller(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position, kind: .empty)
        if let skin = view.first(.skin) {
            controller.kind = .skin(Self.skin(skin, &context))
        } else if let morph = view.first(.morph) {
            controller.kind = .morph(Self.morph(morph, &context))
        } else {
            context.log.add(.schemaMissingElement, at: view.place, "<controller> has neither <skin> nor <morph>")
        }
        return controller
    }

    // MARK: - Skins

    private static func skin(_ view: ElementView, _ context: inout ReadingContext) -> Document.Skin {
        DataFlowReader.checkArrays(in: view, &context)
        let matrix = view.first(.bindShapeMatrix).flatMap { context.numbers(in: $0, count: 16) }
        var skin = Document.Skin(
            source: context.requiredReference(view, .source), bindShape: matrix.flatMap { Matrix4(rows: $0) },
            sources: DataFlowReader.sources(in: view, &context),
            joints: DataFlowReader.inputs(of: view.first(.joints), &context),
            weights: view.first(.vertexWeights).map { weights($0, &context) })
        check(skin.joints + (skin.weights?.inputs ?? []), among: skin.sources, &context)
        skin.inverseBinds = SourceReader(skin.sources).matrices(of: skin.inverseBindInput) ?? []
        check(skin, view, &context)
        if context.isExamined { context.examine(SkinUnit(skin, element: view)) }
        switch context.options.retention {
        case .everything: break
        case .figures:
            var influences = SkinInfluences(skin.weights, SourceReader(skin.sources))
            influences.counts = context.keptNumbers.keep(influences.counts)
            influences.indices = context.keptNumbers.keep(influences.indices)
            influences.weights = influences.weights.keepingNumbers { context.keptNumbers.keep($0) }
            skin.weights?.influences = influences
            skin.sources = DataFlowReader.kept(skin.sources, context.options.retention)
            skin.weights?.influenceCounts = []
            skin.weights?.indices = []
        }
        return skin
    }

    private static func weights(_ view: ElementView, _ context: inout ReadingContext) -> Document.VertexWeights {
        let counts = view.first(.vcount)?.takeIntegers() ?? []
        return Document.VertexWeights(
            position: view.position, count: context.integer(view, .count),
            inputs: DataFlowReader.inputs(of: view, &context),
            vertices: counts.count, influenceCounts: counts, indices: view.first(.v)?.takeIntegers() ?? [])
    }

    private static func check(_ skin: Document.Skin, _ view: ElementView, _ context: inout ReadingContext) {
        if view.first(.bindShapeMatrix) == nil {
            context.log.add(
                .skinBindShapeMissing, at: view.place, "the skin has no <bind_shape_matrix>; the identity is used")
        }
        let reader = SourceReader(skin.sources)
        let joints = reader.words(of: skin.jointInput).words.count
        if joints == 0 {
            reportMissingNames("JOINT", skin.jointInput, skin.sources, in: view.first(.joints) ?? view, &context)
        } else {
            check(skin.inverseBinds, joints: joints, at: (view.first(.joints) ?? view).place, &context)
        }
        guard let weights = skin.weights, let element = view.first(.vertexWeights) else { return }
        var measure = InfluenceMeasure(weights, joints: joints)
        measure.run(reader.numbers(of: weights.input("WEIGHT")))
        measure.report(at: element.place, &context.log.findings)
    }

    private static func check(_ matrices: [Matrix4], joints: Int, at place: Place, _ context: inout ReadingContext) {
        if matrices.count != joints {
            context.log.add(
                .skinInverseBindCount, at: place,
                "there are \(matrices.count) inverse bind matrices for \(joints) joints; the identity stands for one that is missing",
                arguments: [.init("matrices", "\(matrices.count)"), .init("joints", "\(joints)")])
        }
        let flat = matrices.indices.filter { matrices[$0].inverse == nil }
        guard let first = flat.first else { return }
        context.log.add(
            .skinInverseBindNonInvertible, at: place,
            "\(flat.count) inverse bind matrices have no inverse, the first is that of joint \(first)",
            arguments: [.init("matrices", "\(flat.count)"), .init("first", "\(first)")])
    }

    // MARK: - Morphs

    private static func morph(_ view: ElementView, _ context: inout ReadingContext) -> Document.Morph {
        DataFlowReader.checkArrays(in: view, &context)
        var morph = Document.Morph(
            source: context.requiredReference(view, .source), method: method(of: view, &context),
            sources: DataFlowReader.sources(in: view, &context),
            targets: DataFlowReader.inputs(of: view.first(.targets), &context))
        check(morph.targets, among: morph.sources, &context)
        let reader = SourceReader(morph.sources)
        let targets = reader.words(of: morph.input("MORPH_TARGET")).words.count
        let place = (view.first(.targets) ?? view).place
        if targets == 0 {
            reportMissingNames(
                "MORPH_TARGET", morph.input("MORPH_TARGET"), morph.sources, in: view.first(.targets) ?? view, &context)
        } else if let weights = reader.numbers(of: morph.input("MORPH_WEIGHT")) {
            check(weights, targets, morph.method, at: place, &context)
            morph.weights = weights.keepingNumbers { context.keptNumbers.keep($0) }
        }
        morph.sources = DataFlowReader.kept(morph.sources, context.options.retention)
        return morph
    }

    private static func check(
        _ weights: NumberList, _ targets: Int, _ method: Morph.Method, at place: Place, _ context: inout ReadingContext
    ) {
        if weights.count != targets {
            context.log.add(
                .morphWeightCountMismatch, at: place,
                "there are \(weights.count) weights for \(targets) targets; one that is missing is 0",
                arguments: [.init("weights", "\(weights.count)"), .init("targets", "\(targets)")])
        }
        let sum = (0..<weights.count).reduce(0) { $0 + weights[$1] }
        switch method {
        case .relative: break
        case .normalized:
            guard sum > 1 + InfluenceMeasure.tolerance else { return }
            context.log.add(
                .morphWeightRange, at: place,
                "the weights of a NORMALIZED morph sum up to \(sum); above 1 the base is turned inside out",
                arguments: [.init("sum", "\(sum)")])
        }
    }

    private static func method(of view: ElementView, _ context: inout ReadingContext) -> Morph.Method {
        guard let text = view.attribute(.method) else { return .normalized }
        if let method = Morph.Method(rawValue: text) { return method }
        context.log.add(
            .schemaInvalidEnum, at: view.place,
            "the method is \(text.quoted(40)); expected NORMALIZED or RELATIVE; read as NORMALIZED")
        return .normalized
    }

    // MARK: - Sources

    private static func check(
        _ inputs: [Document.Input], among sources: [Document.Source], _ context: inout ReadingContext
    ) {
        let ids = Set(sources.compactMap(\.id))
        for input in inputs where !input.source.isLocal && ids.contains(input.source.withoutHash) {
            let text = input.source.text
            context.log.add(
                .refMissingHash, at: Place(input.source.position),
                "the source \(text.quoted()) lacks its #", arguments: [.init("reference", text)],
                fix: "write #\(text)")
        }
        for input in inputs where !input.source.isAbsent && !ids.contains(input.source.id) {
            guard !ids.contains(input.source.id.percentDecoded) else { continue }
            DataFlowReader.reportMissingSource(of: input, &context)
        }
    }

    /// One that is there and has no elements is harmless.
    private static func reportMissingNames(
        _ semantic: String, _ input: Document.Input?, _ sources: [Document.Source], in view: ElementView,
        _ context: inout ReadingContext
    ) {
        if let source = input.flatMap({ Document.source(of: $0, in: sources) }), source.array.words != nil {
            return
        }
        context.log.add(.accessorNoSource, at: view.place, "no source of names is given for \(semantic)")
    }
}

// What is wrong with the influences of a skin. One finding says how many of a kind there are and which is the first, so
// that a million broken weights are one line.

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

import DaeDiagnostics
import DaeScene
import DaeSchema
import DaeXML

/// Makes a curve of a sampler's inputs.
struct SamplerReading {
    let inputs: [ColladaDocument.Input]
    let sources: SourceTable

    /// `nil` without times or values.
    func curve(before: AnimationBehavior, after: AnimationBehavior) -> AnimationCurve? {
        guard let times = numbers("INPUT"), let values = numbers("OUTPUT") else { return nil }
        let incoming = numbers("IN_TANGENT")
        let outgoing = numbers("OUT_TANGENT")
        return AnimationCurve(
            times: times.values, values: values.values, width: values.width, interpolationNames: names("INTERPOLATION"),
            tangents: AnimationTangents(
                incoming: incoming?.values ?? [], outgoing: outgoing?.values ?? [], incomingStride: incoming?.width,
                outgoingStride: outgoing?.width), before: before, after: after)
    }

    /// The semantic that is needed and has no input here, or one whose source has no numbers; one whose source is not
    /// here is a reference that leads nowhere, which is reported as such.
    var missing: String? {
        ["INPUT", "OUTPUT"].first { semantic in
            guard inputs.contains(where: { $0.semantic == semantic }) else { return true }
            guard let place = place(semantic) else { return false }
            return !sources.array(at: place).isReals
        }
    }

    private func place(_ semantic: String) -> Int? {
        inputs.firstIndex { $0.semantic == semantic }.flatMap { sources.place(of: inputs[$0]) }
    }

    private func names(_ semantic: String) -> [String] {
        place(semantic).flatMap { sources.array(at: $0).words } ?? []
    }

    private func values(at place: Int) -> [Double]? {
        switch sources.array(at: place) {
        case .reals(let array): array.array
        case .names, .idrefs, .sidrefs, .none: nil
        }
    }

    /// The numbers of an input, element after element, and how many an element has.
    private func numbers(_ semantic: String) -> (values: [Double], width: Int)? {
        guard let place = place(semantic), let array = values(at: place) else { return nil }
        guard let accessor = sources.accessor(at: place) else { return (array, 1) }
        let width = accessor.params.isEmpty ? accessor.stride : accessor.params.count
        let isWhole =
            accessor.offset == 0 && accessor.stride == width && accessor.count * width == array.count
            && accessor.params.allSatisfy { $0 != nil || width == 1 }
        if isWhole { return (array, width) }
        return packed(array, accessor)
    }

    /// The values that an accessor names, front to back; as many elements as the array really holds.
    private func packed(
        _ array: [Double], _ accessor: ColladaDocument.Accessor
    ) -> (values: [Double], width: Int) {
        var lanes = accessor.params.indices.filter { accessor.params[$0] != nil }
        if lanes.isEmpty { lanes = Array(0..<min(accessor.stride, array.count)) }
        var values: [Double] = []
        var start = accessor.offset
        for _ in 0..<accessor.count {
            guard let last = lanes.last, start <= array.count - 1 - last else { break }
            for lane in lanes { values.append(array[start + lane]) }
            start += accessor.stride
        }
        return (values.fitted(), max(1, lanes.count))
    }
}

// A sampler may use the sources of any animation, also of one that comes later. Such samplers wait for the document's
// end; what they may want is kept until then.

struct LateSamplers {
    struct Waiting {
        /// Into the document's animations as they were read, and into the samplers of that one.
        let animation: Int
        let sampler: Int
        let inputs: [ColladaDocument.Input]
        /// Those of its inputs' sources that stand in its own animation.
        let own: [ColladaDocument.Source]
        let before: AnimationBehavior
        let after: AnimationBehavior
        let place: Place
    }

    private(set) var waiting: [Waiting] = []
    /// Sources that no sampler beside them uses, and the animations in which they stand.
    private var unused: [(animation: Int, source: ColladaDocument.Source)] = []
    /// Values kept in them.
    private var values = 0
    /// Where only figures are wanted, so many are kept at most.
    static let figuresLimit = 1 << 20

    mutating func add(_ sampler: Waiting) { waiting.append(sampler) }

    /// Keeps those of an animation's sources that its samplers do not use.
    ///
    /// - Parameter animation: As ``Waiting/animation``.
    mutating func keep(
        _ sources: [ColladaDocument.Source], of samplers: [ColladaDocument.Sampler], in animation: Int, most limit: Int
    ) {
        if Self.areUsed(sources, by: samplers) { return }
        var used = Set(samplers.lazy.flatMap(\.inputs).map(\.source.id))
        used.formUnion(used.filter { $0.utf8.contains(UInt8(ascii: "%")) }.map(\.percentDecoded))
        for source in sources {
            guard let id = source.id, !used.contains(id), source.array.count <= limit - values else { continue }
            values += source.array.count
            unused.append((animation, source))
        }
    }

    /// Whether the only sampler uses all sources, as nearly always; found without a table.
    private static func areUsed(
        _ sources: [ColladaDocument.Source], by samplers: [ColladaDocument.Sampler]
    ) -> Bool {
        guard samplers.count == 1 else { return sources.isEmpty }
        let inputs = samplers[0].inputs
        // By index: what is taken out of a list would be copied.
        return sources.indices.allSatisfy { place in
            sources[place].id != nil && inputs.indices.prefix(8).contains { inputs[$0].source.id == sources[place].id }
        }
    }

    /// Those that no sampler beside them uses, by id.
    ///
    /// - Parameter animations: In the order in which they were read.
    func unused(in animations: [ColladaDocument.Animation]) -> NearestByID<ColladaDocument.Source> {
        var found = NearestByID<ColladaDocument.Source>(children: animations.lazy.map(\.children))
        for (animation, source) in unused { if let id = source.id { found.add(source, id, in: animation) } }
        return found
    }

    /// The sources of every input of a sampler that waits, as far as there are any.
    static func table(
        for sampler: Waiting, _ unused: NearestByID<ColladaDocument.Source>, _ others: UsedSources
    ) -> SourceTable {
        var sources = sampler.own
        let table = SourceTable(sampler.own)
        for input in sampler.inputs where table.source(of: input) == nil {
            for id in [input.source.id, input.source.id.percentDecoded] {
                guard
                    var source = unused.near(id, sampler.animation) ?? others.near(id, sampler.animation)
                        ?? unused.first(id) ?? others.first(id)
                else { continue }
                source.id = id
                sources.append(source)
                break
            }
        }
        return SourceTable(sources)
    }
}

/// The sources that curves were made of, had back from the curves.
struct UsedSources {
    private var curves: NearestByID<(curve: AnimationCurve, semantic: String)>

    init(_ animations: [ColladaDocument.Animation]) {
        curves = NearestByID(children: animations.lazy.map(\.children))
        for (place, animation) in animations.enumerated() {
            for sampler in animation.samplers {
                guard let curve = sampler.curve else { continue }
                for input in sampler.inputs { curves.add((curve, input.semantic), input.source.id, in: place) }
            }
        }
    }

    /// In an animation or one around it.
    func near(_ id: String, _ animation: Int) -> ColladaDocument.Source? {
        curves.near(id, animation).flatMap { Self.source(id, of: $0.curve, as: $0.semantic) }
    }

    func first(_ id: String) -> ColladaDocument.Source? {
        curves.first(id).flatMap { Self.source(id, of: $0.curve, as: $0.semantic) }
    }

    private static func source(_ id: String, of curve: AnimationCurve, as semantic: String) -> ColladaDocument.Source? {
        var source = ColladaDocument.Source(id: id, position: .init(), array: .none)
        switch semantic {
        case "INPUT": source.array = .reals(curve.times)
        case "OUTPUT":
            source.array = .reals(curve.values)
            source.accessor = .init(
                array: .own, count: curve.values.count / curve.width, offset: 0, stride: curve.width, params: [])
        case "INTERPOLATION": source.array = .names(curve.interpolationNames)
        default: return nil  // strings: tangents are not had back
        }
        return source
    }
}

extension AnimationCurve {
    fileprivate var interpolationNames: [String] {
        switch interpolations {
        case .all(let one): [String](repeating: one.rawValue, count: times.count)
        case .each(let list): list.map(\.rawValue)
        }
    }
}

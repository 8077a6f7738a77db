// A sampler may use the sources of any animation, also of one that comes later. Such samplers wait for the document's
// end; what they may want is kept until then.

import Diagnostics
import SceneModel
import XMLReader

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
    /// Sources that no sampler beside them uses, by id.
    private var unused: [String: ColladaDocument.Source] = [:]
    /// Values kept in them.
    private var values = 0
    /// Where only figures are wanted, so many are kept at most.
    static let figuresLimit = 1 << 20

    mutating func add(_ sampler: Waiting) { waiting.append(sampler) }

    /// Keeps those of an animation's sources that its samplers do not use.
    mutating func keep(_ sources: [ColladaDocument.Source], of samplers: [ColladaDocument.Sampler], most limit: Int) {
        if Self.areUsed(sources, by: samplers) { return }
        var used = Set(samplers.lazy.flatMap(\.inputs).map(\.source.id))
        used.formUnion(used.filter { $0.utf8.contains(UInt8(ascii: "%")) }.map(\.percentDecoded))
        for source in sources {
            guard let id = source.id, !used.contains(id), unused[id] == nil, source.array.count <= limit - values
            else { continue }
            values += source.array.count
            unused[id] = source
        }
    }

    /// Whether the only sampler uses all sources, as nearly always; told without a table.
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

    /// The sources of every input of a sampler that waits, as far as there are any.
    func table(for sampler: Waiting, among others: UsedSources) -> SourceTable {
        var sources = sampler.own
        let table = SourceTable(sampler.own)
        for input in sampler.inputs where table.source(of: input) == nil {
            for id in [input.source.id, input.source.id.percentDecoded] {
                guard var source = unused[id] ?? others.source(id) else { continue }
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
    private var curves: [String: (curve: AnimationCurve, semantic: String)] = [:]

    init(_ animations: [ColladaDocument.Animation]) {
        for sampler in animations.lazy.flatMap(\.samplers) {
            guard let curve = sampler.curve else { continue }
            for input in sampler.inputs where curves[input.source.id] == nil {
                curves[input.source.id] = (curve, input.semantic)
            }
        }
    }

    func source(_ id: String) -> ColladaDocument.Source? {
        guard let (kept, semantic) = curves[id], let curve = kept.loaded() else { return nil }
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

import Diagnostics
import NumberDecoding

extension DocumentReader {
    func decodeAnimation(_ view: ElementView) -> ColladaDocument.Animation {
        checkArrays(in: view)
        let sources = view.all(.source).map(decodeSource)
        let samplers = view.all(.sampler).map(decodeSampler)
        return ColladaDocument.Animation(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position,
            children: view.all(.animation).compactMap(\.unit), sources: kept(sources), samplers: samplers,
            channels: view.all(.channel).map {
                .init(source: requiredReference($0, .source), target: requiredReference($0, .target))
            }, span: span(of: samplers, sources))
    }

    private func decodeSampler(_ view: ElementView) -> ColladaDocument.Sampler {
        ColladaDocument.Sampler(
            id: view.attribute(.id), position: view.position, inputs: view.all(.input).map(decodeInput),
            preBehavior: view.attribute(.preBehavior), postBehavior: view.attribute(.postBehavior))
    }

    /// From the first to the last of all finite key times.
    private func span(
        of samplers: [ColladaDocument.Sampler], _ sources: [ColladaDocument.Source]
    ) -> ClosedRange<Double>? {
        var span: ClosedRange<Double>?
        for sampler in samplers {
            for input in sampler.inputs where input.semantic == "INPUT" {
                guard case .reals(let times)? = ColladaDocument.source(of: input, in: sources)?.array else { continue }
                for time in times where time.isFinite {
                    span = span.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
                }
            }
        }
        return span
    }

    func decodeAnimationClip(_ view: ElementView) -> ColladaDocument.AnimationClip {
        ColladaDocument.AnimationClip(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position,
            start: time(view, .start) ?? 0, end: time(view, .end),
            animations: view.all(.instanceAnimation).map { requiredReference($0, .url) })
    }

    private func time(_ view: ElementView, _ name: AttributeName) -> Double? {
        guard let reading = view.real(name) else { return nil }
        if let issue = reading.issue { add(issue, at: view.place) }
        return reading.value.flatMap { $0.isFinite ? $0 : nil }
    }
}

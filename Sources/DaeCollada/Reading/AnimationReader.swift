import DaeDiagnostics
import DaeNumbers
import DaeScene
import DaeSchema

/// Reads animations and animation clips.
struct AnimationReader {
    typealias Document = ColladaDocument

    /// Samplers that wait for the sources of other animations.
    private var late = LateSamplers()

    /// - Parameter document: Takes the animation next.
    mutating func animation(
        _ view: ElementView, _ context: inout ReadingContext, in document: inout Document
    ) -> Document.Animation {
        let place = document.animations.count
        DataFlowReader.checkArrays(in: view, &context)
        let sources = DataFlowReader.sources(in: view, &context)
        let table = SourceTable(sources)
        var samplers = view.all(.sampler).enumerated().map { sampler($1, table, at: $0, of: place, &context) }
        switch context.options.retention {
        case .everything: late.keep(sources, of: samplers, in: place, most: .max)
        case .figures:
            late.keep(sources, of: samplers, in: place, most: LateSamplers.figuresLimit)
            document.animationSourceIDs[context.options.document, default: IDList()].append(
                sources.lazy.compactMap(\.id))
            if !context.isExamined { for place in samplers.indices { forgetInputs(of: &samplers[place]) } }
        }
        var animation = Document.Animation(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position,
            children: view.all(.animation).units,
            sources: context.options.retention == .everything ? sources.compactMap(\.id) : [], samplers: samplers,
            channels: view.all(.channel).map {
                .init(source: context.requiredReference($0, .source), target: context.requiredReference($0, .target))
            })
        examine(&animation, view, &context)
        return animation
    }

    /// Where all lead to sources beside them nothing is left to be reported about them.
    private func forgetInputs(of sampler: inout Document.Sampler) {
        if sampler.readsOwnSources { sampler.inputs = [] }
    }

    /// Hands every curve over; then it goes where only figures are wanted.
    private func examine(_ animation: inout Document.Animation, _ view: ElementView, _ context: inout ReadingContext) {
        guard context.isExamined else { return }
        let targets = animation.targetsBySampler
        for (index, element) in zip(animation.samplers.indices, view.all(.sampler)) {
            examine(&animation.samplers[index], targets, &context) { element.place }
        }
    }

    private func examine(
        _ sampler: inout Document.Sampler, _ targets: [String: [String]], _ context: inout ReadingContext,
        place: @escaping () -> Place
    ) {
        guard let curve = sampler.curve else { return }
        context.examine(SamplerUnit(curve: curve, targets: sampler.id.flatMap { targets[$0] } ?? [], place: place))
        switch context.options.retention {
        case .everything: break
        case .figures: sampler.curve = nil
        }
    }

    private mutating func sampler(
        _ view: ElementView, _ sources: SourceTable, at place: Int, of animation: Int, _ context: inout ReadingContext
    ) -> Document.Sampler {
        let inputs = DataFlowReader.inputs(of: view, &context)
        var sampler = Document.Sampler(
            id: context.common(.id, of: view), position: view.position, inputs: inputs, curve: nil, span: nil)
        let before = behavior(view, .preBehavior, &context)
        let after = behavior(view, .postBehavior, &context)
        let hasAll = inputs.allSatisfy { sources.place(of: $0) != nil }
        sampler.readsOwnSources = hasAll && inputs.allSatisfy(\.source.isLocal)
        if !hasAll {
            late.add(
                .init(
                    animation: animation, sampler: place, inputs: inputs,
                    own: inputs.compactMap { sources.source(of: $0) }, before: before, after: after, place: view.place))
        } else {
            read(
                SamplerReading(inputs: inputs, sources: sources), before, after, at: view.place, into: &sampler,
                &context)
        }
        return sampler
    }

    private func read(
        _ reading: SamplerReading, _ before: AnimationBehavior, _ after: AnimationBehavior,
        at place: @autoclosure () -> Place, into sampler: inout Document.Sampler, _ context: inout ReadingContext
    ) {
        let curve = reading.curve(before: before, after: after)
        if let curve {
            for issue in curve.issues { report(issue, at: place(), &context) }
        } else if let semantic = reading.missing {
            context.log.add(
                .animationSamplerInputMissing, at: place(), "the sampler has no \(semantic) with numbers",
                arguments: [.init("semantic", semantic)])
        }
        switch context.options.retention {
        case .everything: sampler.curve = curve?.keepingNumbers { context.numbers.keep($0) }
        case .figures: if context.isExamined { sampler.curve = curve }
        }
        sampler.span = curve?.timeRange
        sampler.width = curve?.width
    }

    /// Reads the samplers whose sources stand in other animations, once all of those are known and still in the order
    /// they were read in.
    mutating func readLateSamplers(_ context: inout ReadingContext, in document: inout Document) {
        guard !late.waiting.isEmpty else { return }
        let used = UsedSources(document.animations)
        let unused = late.unused(in: document.animations)
        var targets: (animation: Int, bySampler: [String: [String]]) = (-1, [:])
        for waiting in late.waiting {
            let reading = SamplerReading(
                inputs: waiting.inputs, sources: LateSamplers.table(for: waiting, unused, used))
            var sampler = document.animations[waiting.animation].samplers[waiting.sampler]
            read(reading, waiting.before, waiting.after, at: waiting.place, into: &sampler, &context)
            if context.isExamined {
                if targets.animation != waiting.animation {
                    targets = (waiting.animation, document.animations[waiting.animation].targetsBySampler)
                }
                examine(&sampler, targets.bySampler, &context) { waiting.place }
            }
            document.animations[waiting.animation].samplers[waiting.sampler] = sampler
        }
        late = LateSamplers()
    }

    private func behavior(_ view: ElementView, _ name: AttributeName, _ context: inout ReadingContext)
        -> AnimationBehavior
    {
        guard let text = view.attribute(name) else { return .undefined }
        if let behavior = AnimationBehavior(rawValue: text) { return behavior }
        context.log.add(
            .schemaInvalidEnum, at: view.place,
            "\(name.rawValue) is \(text.quoted(40)); read as UNDEFINED")
        return .undefined
    }

    func animationClip(_ view: ElementView, _ context: inout ReadingContext) -> Document.AnimationClip {
        Document.AnimationClip(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position,
            start: time(view, .start, &context) ?? 0, end: time(view, .end, &context),
            animations: view.all(.instanceAnimation).map { context.requiredReference($0, .url) })
    }

    private func time(_ view: ElementView, _ name: AttributeName, _ context: inout ReadingContext) -> Double? {
        guard let reading = view.real(name) else { return nil }
        if let issue = reading.issue { context.add(issue, at: view.place) }
        return context.repaired(reading.value, reading.issue).flatMap { $0.isFinite ? $0 : nil }
    }

    // MARK: - What was wrong

    private func report(
        _ issue: AnimationCurve.Issue, at place: @autoclosure () -> Place, _ context: inout ReadingContext
    ) {
        let (code, message) = issue.finding
        context.log.add(code, at: place(), message, severity: issue.isRepaired ? .warning : nil)
    }
}

extension ColladaDocument.Animation {
    /// What its own channels move, by the ids of samplers.
    fileprivate var targetsBySampler: [String: [String]] {
        Dictionary(grouping: channels, by: \.source.id).mapValues { $0.map(\.target.text) }
    }
}

extension AnimationCurve.Issue {
    /// Whether it is less than its code says, since all keys are read.
    fileprivate var isRepaired: Bool {
        switch self {
        case .interpolationsTooFew, .interpolationPerComponent: true
        case .empty, .countMismatch, .timeNotFinite, .timeNotIncreasing, .timeNegative, .interpolationsMissing,
            .unknownInterpolation, .missingTangents, .tangentCountMismatch, .tangentLayout1D:
            false
        }
    }

    fileprivate var finding: (FindingCode, String) {
        switch self {
        case .empty: (.animationEmpty, "the sampler has no keys")
        case .countMismatch(let times, let values, let width):
            (
                .animationCountMismatch,
                "there are \(times) times and \(values) values; expected \(width) values for each time"
            )
        case .timeNotFinite(let index, let count):
            (
                .animationTimeNotIncreasing,
                "\(count) times are not finite, the first is key \(index); they were left out"
            )
        case .timeNotIncreasing(let index, let count):
            (
                .animationTimeNotIncreasing,
                "\(count) times are not later than the one before, the first is key \(index); keys were sorted"
            )
        case .timeNegative(let index, let count):
            (.animationTimeNegative, "\(count) times are negative, the first is key \(index)")
        case .interpolationsMissing:
            (.animationInterpolationMissing, "the sampler has no INTERPOLATION; read as LINEAR")
        case .interpolationsTooFew(let names, let keys):
            (.animationCountMismatch, "there are \(names) interpolations for \(keys) keys; the last one holds on")
        case .interpolationPerComponent(let width):
            (.animationCountMismatch, "there are \(width) interpolations for each key; the first of each is taken")
        case .unknownInterpolation(let name, let count):
            (
                .animationUnknownInterpolation,
                "\(count) interpolations are unknown, the first is \(name.quoted(40)); read as LINEAR"
            )
        case .missingTangents(let kind):
            (.animationTangentMissing, "the \(kind.rawValue) curve lacks tangents for some keys; read as LINEAR")
        case .tangentCountMismatch(let numbers, let keys, let width):
            (
                .animationTangentLayout,
                "there are \(numbers) tangent numbers for \(keys) keys of \(width) values, which no layout has"
            )
        case .tangentLayout1D:
            (.animationTangentLayout, "tangents have no times, as before 1.4.1; a third of the segment was taken")
        }
    }
}

// What the channels move, and what the clips play.

import DaeDiagnostics
import DaeScene
import DaeXML

/// Builds the animations and clips of a scene.
enum AnimationBuilder {
    /// - Parameter instances: What instances lead to that bear sids.
    static func addAnimations(to context: inout SceneContext, instances: InstanceTargets) {
        guard !context.document.animations.isEmpty || !context.document.animationClips.isEmpty else { return }
        // By index: an animation taken out of its list would be copied, with all it holds.
        let (animations, channels) = (context.document.animations, channels(in: &context, instances))
        context.scene.animations = animations.indices.map { index in
            var built = Animation(
                id: animations[index].id, name: animations[index].name, channels: channels[index].resolved,
                children: animations[index].children.map { SceneIndex($0) })
            built.unresolvedTargets = channels[index].unresolved
            return built
        }
        guard !context.document.animationClips.isEmpty else { return }
        let spans = context.document.nestedSpans
        for clip in context.document.animationClips {
            var animations: [SceneIndex<Animation>] = []
            for reference in clip.animations {
                guard let index = context.find(reference, .animation, else: .animationClipRefUnresolved) else {
                    continue
                }
                animations.append(SceneIndex(index))
            }
            let end = clip.end ?? animations.compactMap { spans[$0.value]?.upperBound }.max()
            // Animations of one key have no length, and a clip of them needs none.
            if let end, end < clip.start || clip.end == clip.start { reportRange(of: clip, end: end, &context.log) }
            context.scene.clips.append(
                AnimationClip(id: clip.id, name: clip.name, start: clip.start, end: end, animations: animations))
        }
    }

    private static func reportRange(of clip: ColladaDocument.AnimationClip, end: Double, _ log: inout FindingLog) {
        log.add(
            .animationClipRange, at: clip.place, "the clip starts at \(clip.start) and ends at \(end) seconds",
            arguments: [.init("start", "\(clip.start)"), .init("end", "\(end)")])
    }

    /// Of each animation, those of one document after those of another: its addresses are about its own ids.
    private static func channels(
        in context: inout SceneContext, _ instances: InstanceTargets
    ) -> [(resolved: [AnimationChannel], unresolved: [String])] {
        var channels: [(resolved: [AnimationChannel], unresolved: [String])] = []
        guard !context.document.animations.isEmpty else { return channels }
        let documents = context.shared.linked.paths.count
        for owner in 0..<documents {
            let part = documents > 1 ? context.shared.animated(of: owner) : context.shared
            guard !part.linked.document.animations.isEmpty else { continue }
            context.table.home = owner
            var builder = ChannelBuilder(
                part, context.table, instances, context.systems, limits: context.limits,
                repairs: context.options.repairs)
            let resolved = builder.build(in: context.scene)
            channels += zip(resolved, builder.unresolved).map { (resolved: $0, unresolved: $1) }
            context.log.merge(builder.log)
        }
        return channels
    }

    // MARK: - References

    // The sources and samplers that animations refer to: one that leads nowhere is reported all the same.

    /// A channel may use any animation's sampler, and a sampler any animation's sources.
    static func checkAnimations(in context: inout SceneContext) {
        guard !context.document.animations.isEmpty else { return }
        var ids = AnimationIDs(of: context.shared)
        // In a span: what is taken out of a list would be copied, with all it holds.
        let all = context.document.animations
        let animations = all.span
        for index in animations.indices { checkReferences(of: animations[index], among: &ids, in: &context) }
    }

    private static func checkReferences(
        of animation: ColladaDocument.Animation, among ids: inout AnimationIDs, in context: inout SceneContext
    ) {
        let samplers = animation.samplers.span
        for index in samplers.indices where !samplers[index].readsOwnSources {
            for input in samplers[index].inputs { check(input.source, isA: .source, among: &ids, in: &context) }
        }
        let channels = animation.channels.span
        for index in channels.indices where !animation.hasSampler(of: channels[index]) {
            check(channels[index].source, isA: .sampler, among: &ids, in: &context)
        }
    }

    private static func check(
        _ reference: ColladaDocument.Reference, isA kind: AnimationIDs.Kind, among ids: inout AnimationIDs,
        in context: inout SceneContext
    ) {
        guard !reference.isAbsent else { return }
        if !reference.isLocal, reference.file == nil, ids.contains(reference.id, kind, of: reference.document) {
            context.table.reportMissingHash(reference, &context.log)
            return
        }
        if ids.contains(reference.id, kind, of: reference.document)
            || ids.contains(reference.id.percentDecoded, kind, of: reference.document)
        {
            return
        }
        context.log.add(
            .accessorNoSource, at: Place(reference.position),
            "\(reference.text.quoted()) is not the id of a <\(kind.rawValue)> of an animation",
            arguments: [.init("reference", reference.text)])
    }
}

extension SharedDocument {
    /// The documents with no animations but those of one.
    fileprivate func animated(of owner: Int) -> SharedDocument {
        var linked = linked
        linked.document.animations.removeAll { $0.position.document != owner }
        return SharedDocument(linked)
    }
}

extension ColladaDocument {
    /// For each animation the first and last key of its samplers and of those within it; `nil` without keys.
    fileprivate var nestedSpans: [ClosedRange<Double>?] {
        var spans = animations.indices.map { animations[$0].span }
        // In the file's order parents stand before what is in them.
        for index in animations.indices.reversed() {
            for child in animations[index].children {
                guard let inner = spans[child] else { continue }
                spans[index] =
                    spans[index].map {
                        min($0.lowerBound, inner.lowerBound)...max($0.upperBound, inner.upperBound)
                    } ?? inner
            }
        }
        return spans
    }
}

/// The ids that animations may refer to, of each document its own. Gathered when the first is asked for: nearly all lead
/// to their own animation's.
private struct AnimationIDs: DocumentSharing {
    enum Kind: String {
        case source, sampler
    }

    let shared: SharedDocument
    private var ids: [Kind: [Int: IDList.Members]] = [:]

    init(of shared: SharedDocument) {
        self.shared = shared
    }

    mutating func contains(_ id: String, _ kind: Kind, of owner: Int) -> Bool {
        if ids[kind] == nil { ids[kind] = members(of: kind) }
        return ids[kind]?[owner]?.contains(id) ?? false
    }

    private func members(of kind: Kind) -> [Int: IDList.Members] {
        var ids = kind == .source ? document.animationSourceIDs : [:]
        for animation in document.animations {
            let owner = animation.position.document
            switch kind {
            case .source: ids[owner, default: IDList()].append(animation.sources)
            case .sampler: ids[owner, default: IDList()].append(animation.samplers.lazy.compactMap(\.id))
            }
        }
        return ids.mapValues(\.members)
    }
}

extension ColladaDocument.Animation {
    /// Whether a channel's sampler is one of the first of its own, as nearly always; found without a table.
    fileprivate func hasSampler(of channel: ColladaDocument.Channel) -> Bool {
        // By index, likewise.
        channel.source.isLocal && samplers.indices.prefix(8).contains { samplers[$0].id == channel.source.id }
    }
}

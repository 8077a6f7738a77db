// What the channels move, and what the clips play.

import DaeDiagnostics
import DaeScene
import DaeXML

extension SceneBuilder {
    mutating func addAnimations() {
        guard !document.animations.isEmpty || !document.animationClips.isEmpty else { return }
        // By index: an animation taken out of its list would be copied, with all it holds.
        let (animations, channels) = (document.animations, channels())
        scene.animations = animations.indices.map { index in
            var built = Animation(
                id: animations[index].id, name: animations[index].name, channels: channels[index].resolved,
                children: animations[index].children.map { SceneIndex($0) })
            built.unresolvedTargets = channels[index].unresolved
            return built
        }
        guard !document.animationClips.isEmpty else { return }
        let spans = document.nestedSpans
        for clip in document.animationClips {
            var animations: [SceneIndex<Animation>] = []
            for reference in clip.animations {
                guard let index = find(reference, .animation, else: .animationClipRefUnresolved) else { continue }
                animations.append(SceneIndex(index))
            }
            let end = clip.end ?? animations.compactMap { spans[$0.value]?.upperBound }.max()
            // Animations of one key have no length, and a clip of them needs none.
            if let end, end < clip.start || clip.end == clip.start { reportRange(of: clip, end: end) }
            scene.clips.append(
                AnimationClip(id: clip.id, name: clip.name, start: clip.start, end: end, animations: animations))
        }
    }

    private mutating func reportRange(of clip: ColladaDocument.AnimationClip, end: Double) {
        var place = Place(clip.position)
        place.elementID = clip.id
        log.add(
            .animationClipRange, at: place, "the clip starts at \(clip.start) and ends at \(end) seconds",
            arguments: [.init("start", "\(clip.start)"), .init("end", "\(end)")])
    }

    /// Of each animation, those of one document after those of another: its addresses are about its own ids.
    private mutating func channels() -> [(resolved: [AnimationChannel], unresolved: [String])] {
        var channels: [(resolved: [AnimationChannel], unresolved: [String])] = []
        guard !document.animations.isEmpty else { return channels }
        for owner in paths.indices {
            let part = paths.count > 1 ? animated(of: owner) : shared
            guard !part.linked.document.animations.isEmpty else { continue }
            table.home = owner
            var builder = ChannelBuilder(
                part, table, instanceTargets, systems, limits: limits, repairs: options.repairs)
            let resolved = builder.build(in: scene)
            channels += zip(resolved, builder.unresolved).map { (resolved: $0, unresolved: $1) }
            log.merge(builder.log)
        }
        return channels
    }

    /// The documents with no animations but those of one.
    private func animated(of owner: Int) -> SharedDocument {
        var linked = shared.linked
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

// The sources and samplers that animations refer to: one that leads nowhere is reported all the same.

extension SceneBuilder {
    /// A channel may use any animation's sampler, and a sampler any animation's sources.
    mutating func checkAnimations() {
        guard !document.animations.isEmpty else { return }
        var ids = AnimationIDs(of: shared)
        // In a span: what is taken out of a list would be copied, with all it holds.
        let all = document.animations
        let animations = all.span
        for index in animations.indices { checkReferences(of: animations[index], among: &ids) }
    }

    private mutating func checkReferences(of animation: ColladaDocument.Animation, among ids: inout AnimationIDs) {
        let samplers = animation.samplers.span
        for index in samplers.indices where !samplers[index].readsOwnSources {
            for input in samplers[index].inputs { check(input.source, isA: .source, among: &ids) }
        }
        let channels = animation.channels.span
        for index in channels.indices where !animation.hasSampler(of: channels[index]) {
            check(channels[index].source, isA: .sampler, among: &ids)
        }
    }

    private mutating func check(
        _ reference: ColladaDocument.Reference, isA kind: AnimationIDs.Kind, among ids: inout AnimationIDs
    ) {
        guard !reference.isAbsent else { return }
        if !reference.isLocal, reference.file == nil, ids.contains(reference.id, kind, of: reference.document) {
            table.reportMissingHash(reference, &log)
            return
        }
        if ids.contains(reference.id, kind, of: reference.document)
            || ids.contains(reference.id.percentDecoded, kind, of: reference.document)
        {
            return
        }
        log.add(
            .accessorNoSource, at: Place(reference.position),
            "\(reference.text.quoted()) is not the id of a <\(kind.rawValue)> of an animation",
            arguments: [.init("reference", reference.text)])
    }
}

/// The ids that animations may refer to, of each document its own. Gathered when the first is asked for: nearly all lead
/// to their own animation's.
private struct AnimationIDs: DocumentSharing {
    enum Kind: String {
        case source, sampler
    }

    let shared: SharedDocument
    private lazy var sources = Self.sources(of: document)
    private lazy var samplers = Self.samplers(of: document)

    init(of shared: SharedDocument) {
        self.shared = shared
    }

    mutating func contains(_ id: String, _ kind: Kind, of owner: Int) -> Bool {
        switch kind {
        case .source: sources[owner]?.contains(id) ?? false
        case .sampler: samplers[owner]?.contains(id) ?? false
        }
    }

    private static func sources(of document: ColladaDocument) -> [Int: IDList.Members] {
        var ids = document.animationSourceIDs
        for animation in document.animations {
            ids[animation.position.document, default: IDList()].append(animation.sources)
        }
        return ids.mapValues(\.members)
    }

    private static func samplers(of document: ColladaDocument) -> [Int: IDList.Members] {
        var ids: [Int: IDList] = [:]
        for animation in document.animations {
            ids[animation.position.document, default: IDList()].append(animation.samplers.lazy.compactMap(\.id))
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

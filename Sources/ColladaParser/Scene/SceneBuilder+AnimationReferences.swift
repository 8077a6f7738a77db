// The sources and samplers that animations refer to: one that leads nowhere is told all the same.

import Diagnostics
import XMLReader

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
            table.tellMissingHash(reference, &log)
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
    /// Whether a channel's sampler is one of the first of its own, as nearly always; told without a table.
    fileprivate func hasSampler(of channel: ColladaDocument.Channel) -> Bool {
        // By index, likewise.
        channel.source.isLocal && samplers.indices.prefix(8).contains { samplers[$0].id == channel.source.id }
    }
}

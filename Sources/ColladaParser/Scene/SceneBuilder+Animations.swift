// What the channels move, and what the clips play.

import Diagnostics
import SceneModel
import XMLReader

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
                switch find(reference, ["animation"], severity: .error, else: .animationClipRefUnresolved) {
                case .animation(let index): animations.append(SceneIndex(index))
                case .some(let other): tellWrongType(reference, other, expected: "animation")
                case nil: break
                }
            }
            let end = clip.end ?? animations.compactMap { spans[$0.value]?.upperBound }.max()
            // Animations of one key have no length, and a clip of them needs none.
            if let end, end < clip.start || clip.end == clip.start { tellRange(of: clip, end: end) }
            scene.clips.append(
                AnimationClip(id: clip.id, name: clip.name, start: clip.start, end: end, animations: animations))
        }
    }

    private mutating func tellRange(of clip: ColladaDocument.AnimationClip, end: Double) {
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

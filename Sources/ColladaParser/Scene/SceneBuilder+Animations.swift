// What the channels move, and what the clips play.

import Diagnostics
import SceneModel
import XMLReader

extension SceneBuilder {
    mutating func addAnimations() {
        let channels = channels()
        scene.animations = zip(document.animations, channels).map { animation, channels in
            Animation(
                id: animation.id, name: animation.name, channels: channels,
                children: animation.children.map { SceneIndex($0) })
        }
        for clip in document.animationClips {
            var animations: [SceneIndex<Animation>] = []
            for reference in clip.animations {
                switch find(reference, ["animation"], severity: .error) {
                case .animation(let index): animations.append(SceneIndex(index))
                case .some(let other): tellWrongType(reference, other, expected: "animation")
                case nil: break
                }
            }
            let spans = animations.compactMap { document.animations[$0.value].span?.upperBound }
            scene.clips.append(
                AnimationClip(
                    id: clip.id, name: clip.name, start: clip.start, end: clip.end ?? spans.max(),
                    animations: animations))
        }
    }

    /// Of each animation, those of one document after those of another: its addresses are about its own ids.
    private mutating func channels() -> [[AnimationChannel]] {
        var channels: [[AnimationChannel]] = []
        for owner in linked.paths.indices {
            var part = document
            if linked.paths.count > 1 {
                part.animations = document.animations.filter { $0.position.document == owner }
            }
            guard !part.animations.isEmpty else { continue }
            table.home = owner
            var builder = ChannelBuilder(part, table)
            channels += builder.build(in: scene)
            log.merge(builder.log)
        }
        return channels
    }
}

// What the channels move, and what the clips play.

import Diagnostics
import SceneModel
import XMLReader

extension SceneBuilder {
    mutating func addAnimations() {
        var builder = ChannelBuilder(document, table)
        let channels = builder.build(in: scene)
        log.merge(builder.log)
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
}

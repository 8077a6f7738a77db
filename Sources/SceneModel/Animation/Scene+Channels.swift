extension Scene {
    /// The scene with the numbers of all curves in memory; `nil` where some cannot be read.
    public func withCurvesLoaded() -> Scene? {
        var scene = self
        for animation in scene.animations.indices {
            for channel in scene.animations[animation].channels.indices {
                let old = scene.animations[animation].channels[channel]
                guard let curve = old.curve.loaded() else { return nil }
                scene.animations[animation].channels[channel] = AnimationChannel(target: old.target, curve: curve)
            }
        }
        return scene
    }

    /// The channels that a clip plays: those of its animations and of all within them, each animation once.
    public func channels(of clip: AnimationClip) -> [AnimationChannel] { channels(below: clip.animations) }

    /// The channels of every animation.
    public var channels: [AnimationChannel] { animations.flatMap(\.channels) }

    /// The channels of some animations and of all within them, each animation once, parents first.
    public func channels(below roots: [SceneIndex<Animation>]) -> [AnimationChannel] {
        animations(below: roots).flatMap { animations[$0].channels }
    }

    /// Some animations and all within them, each once, parents first.
    public func animations(below roots: [SceneIndex<Animation>]) -> [SceneIndex<Animation>] {
        var found: [SceneIndex<Animation>] = []
        var seen = Set<Int>()
        var stack = Array(roots.reversed())
        while let index = stack.popLast() {
            guard animations.indices.contains(index.value), seen.insert(index.value).inserted else { continue }
            found.append(index)
            stack += animations[index].children.reversed()
        }
        return found
    }
}

extension ElementFamily {
    static let animations = ElementFamily(
        units: [.animation, .animationClip])
}

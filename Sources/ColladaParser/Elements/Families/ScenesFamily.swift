extension ElementFamily {
    static let scenes = ElementFamily(
        units: [.visualScene, .node],
        texts: [.matrix, .translate, .rotate, .scale, .skew, .lookat, .skeleton],
        skipped: [.evaluateScene])
}

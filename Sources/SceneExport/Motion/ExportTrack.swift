/// Keys of one property of a node, as engines take them.
struct ExportTrack {
    enum Path: String {
        case translation, rotation, scale, weights
    }
    enum Interpolation: String {
        case linear = "LINEAR"
        case step = "STEP"
    }
    let path: Path
    let interpolation: Interpolation
    /// Seconds from the animation's beginning, increasing.
    let times: [Float]
    /// For each key the numbers of its value.
    let values: [Float]
    let width: Int
}

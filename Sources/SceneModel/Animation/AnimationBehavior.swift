/// What a curve is before its first key or after its last.
///
/// - Source: COLLADA 1.5.0, `sampler`, `pre_behavior` and `post_behavior`; 1.4 leaves it undefined.
public enum AnimationBehavior: String, Sendable, Hashable, CaseIterable {
    /// Nothing is promised; here as `constant`.
    case undefined = "UNDEFINED"
    /// The nearest key's value.
    case constant = "CONSTANT"
    /// Goes on along the straight line through the two nearest keys.
    case gradient = "GRADIENT"
    /// Begins again.
    case cycle = "CYCLE"
    /// Runs back and forth.
    case oscillate = "OSCILLATE"
    /// Begins again from the value it ended with.
    case cycleRelative = "CYCLE_RELATIVE"
}

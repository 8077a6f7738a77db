/// When an animation is played, how densely curves are followed, and how much work that may be.
struct TrackSpan {
    /// In the document's seconds.
    let range: ClosedRange<Double>
    /// Taken from every time, so that the animation begins at 0.
    let offset: Double
    /// Seconds between two keys that are added at least; 0 for as many as the tolerance needs.
    var leastSpan = 0.0
    /// Once it was hit, what is made is not written any more: whoever makes it may stop where it suits.
    var budget = ConversionBudget()

    /// The first and the last moment, as they are written.
    var ends: (first: Float, last: Float) { (Float(range.lowerBound - offset), Float(range.upperBound - offset)) }
}

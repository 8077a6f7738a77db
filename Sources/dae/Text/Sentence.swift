extension String {
    /// With a full stop, where it does not end as a question does.
    var asSentence: String { hasSuffix("?") ? self : self + "." }
}

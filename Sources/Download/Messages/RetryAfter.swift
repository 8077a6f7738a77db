/// How long a server asks to be left alone. Source: RFC 9110, 10.2.3.
enum RetryAfter {
    /// Whole seconds from `now` on, at least 0; `nil` for what is neither a number nor a date.
    static func seconds(_ field: String, at now: Int64) -> Int64? {
        if let seconds = DecimalDigits.value(field) { return seconds }
        return HTTPDate.seconds(field).map { max(0, $0 - now) }
    }
}

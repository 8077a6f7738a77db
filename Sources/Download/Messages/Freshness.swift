/// For how long an answer may stand for the server's. Source: RFC 9111, 4.2.
enum Freshness {
    /// Longer than a year is as good as for ever, and no sum of seconds overflows.
    private static let longest: Int64 = 366 * 86_400

    /// Seconds since 1970 until which nobody need be asked; `nil` where the server must always be.
    ///
    /// Nothing is guessed from `Last-Modified`: where the server says nothing, it is asked.
    static func limit(of head: ResponseHead, at now: Int64) -> Int64? {
        let control = head.cacheControl
        guard !control.mustAskAgain, !control.mustNotBeStored, !head.variesByAnything else { return nil }
        let lifetime: Int64
        if let maxAge = control.maxAge {
            lifetime = maxAge
        } else if let expires = head.expires.flatMap(HTTPDate.seconds) {
            lifetime = expires - (head.date.flatMap(HTTPDate.seconds) ?? now)
        } else {
            return nil
        }
        let left = min(lifetime, longest) - min(head.age ?? 0, longest)
        return left > 0 ? now + left : nil
    }
}

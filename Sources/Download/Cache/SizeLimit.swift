/// How large a cache may grow.
public enum SizeLimit: Sendable, Hashable {
    case unlimited
    /// At least 0.
    case bytes(Int64)

    /// 20 GiB.
    public static let standard = SizeLimit.bytes(20 << 30)

    /// Reads what `$DAE_CACHE_LIMIT` may say: `unlimited`, or a whole number of bytes with an optional `K`, `M`, `G` or `T`
    /// (powers of 1024; `GB` and `GiB` mean the same as `G`). `nil` for any other text.
    public init?(_ text: String) {
        let text = text.lowercased()
        guard text != "unlimited" else {
            self = .unlimited
            return
        }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        var unit = text.dropFirst(digits.count).drop { $0 == " " }
        for ending in ["ib", "b"] where unit.hasSuffix(ending) {
            unit = unit.dropLast(ending.count)
            break
        }
        let shifts: [Substring: Int64] = ["": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40]
        guard let count = Int64(digits), let factor = shifts[unit] else { return nil }
        let (bytes, isTooLarge) = count.multipliedReportingOverflow(by: factor)
        guard !isTooLarge else { return nil }
        self = .bytes(bytes)
    }
}

/// A JSON text as a value. Objects are written with their keys sorted, so that equal values give equal bytes.
///
/// Ours and not a library's: reports hold a row for each of tens of thousands of elements, and the reals in them are
/// the shortest texts that read back the same.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// Written as `null` unless finite.
    case real(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }

    public init(_ value: String?) { self = value.map { .string($0) } ?? .null }
    public init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
    public init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
    public init(_ value: Double?) { self = value.map { .real($0) } ?? .null }
    public init(_ value: SIMD3<Double>) { self = .array([.real(value.x), .real(value.y), .real(value.z)]) }
    public init(_ values: [String]) { self = .array(values.map { .string($0) }) }
}

extension JSONValue {
    public enum Style: Sendable {
        /// One line.
        case compact
        /// Two spaces a level.
        case indented
    }

    /// As UTF-8, without a line end.
    public func text(_ style: Style) -> [UInt8] {
        var writer = JSONWriter(style: style)
        writer.write(self, level: 0)
        return writer.bytes
    }
}

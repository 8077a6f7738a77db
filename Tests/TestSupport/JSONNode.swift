// Read by the standard library's decoder and not by our own writer's kin: what writes a report must not judge it.

import FoundationEssentials

/// A JSON text as a tree.
public enum JSONNode: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONNode])
    case object([String: JSONNode])
}

extension JSONNode: Decodable {
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let array = try? value.decode([JSONNode].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSONNode].self))
        }
    }

    public init(parsing text: [UInt8]) throws {
        self = try JSONDecoder().decode(JSONNode.self, from: Data(text))
    }
}

extension JSONNode: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: JSONNode...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONNode)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}

extension JSONNode {
    /// A member of an object, or `nil`.
    public subscript(key: String) -> JSONNode? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// Of an object; empty for what is none.
    public var members: [String: JSONNode] { if case .object(let members) = self { members } else { [:] } }
    public var string: String? { if case .string(let text) = self { text } else { nil } }
    public var number: Double? { if case .number(let number) = self { number } else { nil } }
    public var elements: [JSONNode] { if case .array(let elements) = self { elements } else { [] } }

    /// The words that JSON Schema's `type` has for it.
    var types: [String] {
        switch self {
        case .null: ["null"]
        case .bool: ["boolean"]
        case .number(let number): number == number.rounded() ? ["number", "integer"] : ["number"]
        case .string: ["string"]
        case .array: ["array"]
        case .object: ["object"]
        }
    }
}

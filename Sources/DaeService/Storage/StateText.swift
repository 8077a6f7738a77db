import Daedalus
import FoundationEssentials

/// Library values as their own JSON, and back.
enum StateText {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func read<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    /// As a part of a larger JSON text.
    static func json(_ value: some Encodable) throws -> JSONValue {
        try JSONValue(text: Array(try JSONEncoder().encode(value)))
    }
}

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
        try JSONDecoder().decode(DecodedJSON.self, from: try JSONEncoder().encode(value)).value
    }
}

/// Of our own values, whose depth is known: it recurses.
private struct DecodedJSON: Decodable {
    let value: JSONValue

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = .null
        } else if let bool = try? container.decode(Bool.self) {
            value = .bool(bool)
        } else if let integer = try? container.decode(Int64.self) {
            value = .integer(integer)
        } else if let real = try? container.decode(Double.self) {
            value = .real(real)
        } else if let text = try? container.decode(String.self) {
            value = .string(text)
        } else if let list = try? container.decode([DecodedJSON].self) {
            value = .array(list.map(\.value))
        } else {
            value = .object(try container.decode([String: DecodedJSON].self).mapValues(\.value))
        }
    }
}

extension AssetState {
    /// Its name on the wire.
    var wireName: String {
        switch self {
        case .downloading: "downloading"
        case .unzipping: "unzipping"
        case .parsing: "parsing"
        case .ready: "ready"
        case .failed: "failed"
        }
    }
}

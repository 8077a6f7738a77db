import FoundationEssentials
import TestSupport
import Testing

/// Texts under `Fixtures/states` that the tests are held against; `DAE_UPDATE_GOLDEN=1` rewrites them.
enum Golden {
    static func expect(_ text: String, in name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let path = Repository.fixtures + "/states/" + name
        if ProcessInfo.processInfo.environment["DAE_UPDATE_GOLDEN"] == "1" {
            try FileManager.default.createDirectory(
                atPath: Repository.fixtures + "/states", withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: path))
        }
        let kept = String(decoding: try Repository.fixture("states/" + name), as: UTF8.self)
        guard kept != text else { return }
        let keptLines = kept.split(separator: "\n", omittingEmptySubsequences: false)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let changes = lines.difference(from: keptLines).map { change in
            switch change {
            case .remove(let line, let element, _): "-\(line + 1) \(element)"
            case .insert(let line, let element, _): "+\(line + 1) \(element)"
            }
        }
        Issue.record("\(name) differs:\n\(changes.joined(separator: "\n"))", sourceLocation: sourceLocation)
    }

    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    }

    static func read<Value: Decodable>(
        _ type: Value.Type, _ json: String, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> Value {
        let decoder = JSONDecoder()
        decoder.userInfo = userInfo
        return try decoder.decode(type, from: Data(json.utf8))
    }
}

import Daedalus
import Glibc
import Logging

/// Log lines as JSON objects on standard error, one a line.
struct JSONLogHandler: LogHandler {
    let label: String
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level

    init(label: String, level: Logger.Level) { (self.label, logLevel) = (label, level) }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    private static func json(_ value: Logger.MetadataValue) -> JSONValue {
        switch value {
        case .stringConvertible(let number as any BinaryInteger): .integer(Int64(clamping: number))
        case .string, .stringConvertible, .array, .dictionary: .string("\(value)")
        }
    }

    func log(event: LogEvent) {
        // Where one port cannot be opened the others are closed again, which is no fault of theirs.
        if "\(event.message)".hasPrefix("Waiting on child channel: CancellationError") { return }
        var members: [String: JSONValue] = [:]
        for (key, value) in metadata.merging(event.metadata ?? [:], uniquingKeysWith: { _, new in new }) {
            members[key] = Self.json(value)
        }
        members["time"] = .integer(AssetOperations.Instant.systemTime())
        members["level"] = .string(event.level.rawValue)
        members["message"] = .string("\(event.message)")
        members["label"] = .string(label)
        let line = JSONValue.object(members).text(.compact) + [UInt8(ascii: "\n")]
        _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

// Source: HTML, 9.2.6, "Interpreting an event stream".

/// One server-sent event.
struct ServerSentEvent: Sendable, Equatable {
    var id: String?
    var name: String
    var data: String
}

/// Cuts a stream of bytes into events, wherever it is split.
struct EventParser: Sendable {
    /// Bytes of one line, and of one event's data.
    private static let limit = 4 << 20

    private var line: [UInt8] = []
    private var lastByte: UInt8 = 0
    private var id: String?
    private var name = ""
    private var data: [UInt8] = []

    /// What is too long to be an event of this service.
    struct TooLong: Error {}

    mutating func feed(
        _ bytes: some Sequence<UInt8>, _ found: (ServerSentEvent) -> Void
    ) throws(TooLong) {
        for byte in bytes {
            defer { lastByte = byte }
            switch byte {
            case 0x0a where lastByte == 0x0d: continue
            case 0x0a, 0x0d: end(found)
            default:
                line.append(byte)
                guard line.count <= Self.limit, data.count <= Self.limit else { throw TooLong() }
            }
        }
    }

    private mutating func end(_ found: (ServerSentEvent) -> Void) {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else {
            if !data.isEmpty {
                let text = String(decoding: data.dropLast(), as: UTF8.self)
                found(ServerSentEvent(id: id, name: name.isEmpty ? "message" : name, data: text))
            }
            name = ""
            data.removeAll(keepingCapacity: true)
            return
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[min(colon + 1, line.endIndex)...]
        if value.first == 0x20 { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "data": data += value + [0x0a]
        case "id" where !value.contains(0): id = String(decoding: value, as: UTF8.self)
        default: break  // strings: comments, and what later services add
        }
    }
}

/// The text of one JSON object whose long lists may be out of memory.
struct JSONText {
    private enum Part {
        case bytes([UInt8])
        case list(JSONList)
    }
    private var parts: [Part] = []
    private var object = JSONObject()

    /// Puts members into the object.
    mutating func put(_ fill: (inout JSONObject) -> Void) { fill(&object) }

    /// An empty list is left out.
    mutating func put(_ key: StaticString, _ list: JSONList) {
        guard list.count > 0 else { return }
        parts.append(.bytes(object.take(beginning: key)))
        parts.append(.list(list))
    }

    /// Bytes of the whole text.
    var size: Int {
        parts.reduce(object.text.count) { size, part in
            switch part {
            case .bytes(let bytes): size + bytes.count
            case .list(let list): size + list.size
            }
        }
    }

    func write(to file: ExportFile) throws(SceneExportError) {
        for part in parts {
            switch part {
            case .bytes(let bytes): try file.write(bytes)
            case .list(let list): try list.write(to: file)
            }
        }
        try file.write(object.text)
    }
}

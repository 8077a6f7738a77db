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
    ///
    /// - Parameter outer: Names of objects, each within the one before, that hold the list and nothing else.
    mutating func put(_ key: StaticString, _ list: JSONList, within outer: [StaticString] = []) {
        guard list.count > 0 else { return }
        let keys = outer + [key]
        var text = object.take(beginning: keys[0])
        for key in keys.dropFirst() {
            var inner = JSONObject()
            text += inner.take(beginning: key)
        }
        parts.append(.bytes(text))
        parts.append(.list(list))
        if !outer.isEmpty { parts.append(.bytes([UInt8](repeating: UInt8(ascii: "}"), count: outer.count))) }
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

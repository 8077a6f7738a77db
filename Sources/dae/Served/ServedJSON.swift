// The service knows a source by the name it was sent under; the person who asked knows it by what they typed.

import Daedalus

/// JSON as the service wrote it: keys sorted, two spaces a level.
struct ServedJSON {
    let bytes: [UInt8]

    /// The same with another text as the source's name.
    func named(_ source: String) -> ServedJSON {
        // Only the object itself begins a line with four spaces behind this key.
        guard let start = bytes.firstRange(of: Array("\n  \"source\": {".utf8)),
            let key = bytes[start.upperBound...].firstRange(of: Array("\n    \"input\": ".utf8)),
            let end = bytes[key.upperBound...].firstIndex(of: UInt8(ascii: "\n"))
        else { return self }
        let comma: [UInt8] = bytes[bytes.index(before: end)] == UInt8(ascii: ",") ? [UInt8(ascii: ",")] : []
        let name = JSONValue.string(source).text(.compact)
        return ServedJSON(bytes: Array(bytes[..<key.upperBound]) + name + comma + bytes[end...])
    }

    /// The number at the end of a path of keys, each of which begins a line of its own level.
    func number(_ path: String...) -> Int? {
        var rest = bytes[...]
        for (level, name) in path.enumerated() {
            let key = "\n" + String(repeating: "  ", count: level + 1) + "\"\(name)\": "
            guard let found = rest.firstRange(of: Array(key.utf8)) else { return nil }
            rest = rest[found.upperBound...]
        }
        return Int(
            String(decoding: rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }, as: UTF8.self))
    }

    /// The same on one line, without a line end.
    var compact: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var place = Place.between
        for byte in bytes {
            switch (place, byte) {
            case (.between, 0x20), (.between, 0x0a): continue
            case (.between, UInt8(ascii: "\"")): place = .text
            case (.text, UInt8(ascii: "\"")): place = .between
            case (.text, UInt8(ascii: "\\")): place = .escape
            case (.escape, _): place = .text
            case (.between, _), (.text, _): break
            }
            result.append(byte)
        }
        return result
    }

    private enum Place {
        case between, text, escape
    }
}

extension SourceRun.Rendering {
    /// A service's JSON as a line.
    var onOneLine: SourceRun.Rendering {
        switch self {
        case .bytes(let bytes): .bytes(ServedJSON(bytes: bytes).compact + [UInt8(ascii: "\n")])
        case .json, .jsonLines, .jsonPieces, .text, .textPieces, .nothing: self
        }
    }
}

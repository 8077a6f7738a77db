// One JSON object whose values are texts, numbers and arrays of texts: read by hand, so that an error names its line.

import Daedalus

/// A file of settings.
enum SettingFile {
    struct Entry {
        let setting: Setting
        let words: [String]
        /// From 1.
        let line: Int
    }

    static func read(_ path: String) throws(SettingError) -> [Entry] {
        let bytes: [UInt8]
        do { bytes = try TextFile.bytes(path) } catch { throw SettingError("\(error)") }
        return try entries(bytes, path)
    }

    /// - Parameter path: How errors call the file.
    static func entries(_ bytes: [UInt8], _ path: String) throws(SettingError) -> [Entry] {
        var reader = SettingFileReader(bytes, path)
        var entries: [Entry] = []
        try reader.members { key, words, line throws(SettingError) in
            let place = "\(path):\(line)"
            guard let setting = SettingTable.setting(key) else {
                let near = SettingTable.suggestion(for: key, among: SettingTable.all.map(\.key))
                throw SettingError("\(place): there is no setting '\(key.prefix(80))'.\(near)")
            }
            guard !entries.contains(where: { $0.setting.key == key }) else {
                throw SettingError("\(place): '\(key)' stands here twice.")
            }
            guard setting.isList == words.isList else {
                throw SettingError("\(place): \(key): expected \(setting.isList ? "an array of texts" : "one value").")
            }
            entries.append(Entry(setting: setting, words: words.value.words, line: line))
        }
        return entries
    }
}

/// Reads the object, member by member.
private struct SettingFileReader {
    struct Value {
        let value: SettingValue

        var isList: Bool {
            switch value {
            case .list: true
            case .text, .integer: false
            }
        }
    }

    private let bytes: [UInt8]
    private let path: String
    private var at = 0
    private var line = 1

    init(_ bytes: [UInt8], _ path: String) {
        self.bytes = bytes
        self.path = path
    }

    mutating func members(
        _ body: (String, Value, Int) throws(SettingError) -> Void
    ) throws(SettingError) {
        try expect("{")
        if skip("}") { return try end() }
        repeat {
            blank()
            let start = line
            let key = try text()
            try expect(":")
            try body(key, Value(value: try value()), start)
        } while skip(",")
        try expect("}")
        try end()
    }

    private mutating func end() throws(SettingError) {
        blank()
        if at < bytes.count { throw error("nothing more is expected here") }
    }

    private mutating func value() throws(SettingError) -> SettingValue {
        blank()
        switch byte {
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "["):
            at += 1
            if skip("]") { return .list([]) }
            var list: [String] = []
            repeat { list.append(try text()) } while skip(",")
            try expect("]")
            return .list(list)
        default: return .integer(try number())  // bytes
        }
    }

    private mutating func number() throws(SettingError) -> Int64 {
        let start = at
        while let byte, byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { at += 1 }
        guard let number = Int64(String(decoding: bytes[start..<at], as: UTF8.self)) else {
            throw error("expected a text, a whole number or an array of texts")
        }
        return number
    }

    private mutating func text() throws(SettingError) -> String {
        try expect("\"")
        var found: [UInt8] = []
        while let byte, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw error("a text ends in its line") }
            at += 1
            found.append(byte == UInt8(ascii: "\\") ? try escaped() : byte)
        }
        try expect("\"")
        guard let text = String(validating: found, as: UTF8.self) else { throw error("expected UTF-8") }
        return text
    }

    /// Of the escapes those that names and paths need.
    private mutating func escaped() throws(SettingError) -> UInt8 {
        guard let byte, [UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/")].contains(byte) else {
            throw error("only \\\", \\\\ and \\/ are known")
        }
        at += 1
        return byte
    }

    // MARK: - Bytes

    private var byte: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func blank() {
        while let byte, [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
            if byte == 0x0A { line += 1 }
            at += 1
        }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        blank()
        guard byte == UInt8(ascii: character) else { return false }
        at += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(SettingError) {
        // A text's own blanks are its own; only its opening quote comes here with blanks before it.
        if character != "\"" || byte != UInt8(ascii: "\"") { blank() }
        guard byte == UInt8(ascii: character) else { throw error("expected \(character)") }
        at += 1
    }

    private func error(_ what: String) -> SettingError { SettingError("\(path):\(line): \(what).") }
}

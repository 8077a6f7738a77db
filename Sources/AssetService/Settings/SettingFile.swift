// One JSON object whose values are texts, whole numbers and arrays of texts.

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
        let root: LocatedJSON
        do { root = try LocatedJSON.value(in: bytes) } catch {
            throw SettingError("\(path):\(error.line): \(error.message).")
        }
        guard case .object(let members) = root.value else { throw SettingError("\(path):\(root.line): expected {.") }
        var entries: [Entry] = []
        for (key, line, value) in members {
            let place = "\(path):\(line)"
            guard let setting = SettingTable.setting(key) else {
                let near = SettingTable.suggestion(for: key, among: SettingTable.all.map(\.key))
                throw SettingError("\(place): there is no setting '\(key.prefix(80))'.\(near)")
            }
            guard !entries.contains(where: { $0.setting.key == key }) else {
                throw SettingError("\(place): '\(key)' stands here twice.")
            }
            guard let words = SettingValue(value) else {
                throw SettingError("\(place): \(key): expected a text, a whole number or an array of texts.")
            }
            guard setting.isList == words.isList else {
                throw SettingError("\(place): \(key): expected \(setting.isList ? "an array of texts" : "one value").")
            }
            entries.append(Entry(setting: setting, words: words.words, line: line))
        }
        return entries
    }
}

extension SettingValue {
    /// `nil` for what no setting is written as.
    fileprivate init?(_ json: LocatedJSON) {
        switch json.value {
        case .string(let text): self = .text(text)
        case .integer(let number): self = .integer(number)
        case .array(let values):
            let texts = values.compactMap(\.string)
            guard texts.count == values.count else { return nil }
            self = .list(texts)
        case .null, .bool, .real, .object: return nil
        }
    }

    fileprivate var isList: Bool {
        switch self {
        case .list: true
        case .text, .integer: false
        }
    }
}

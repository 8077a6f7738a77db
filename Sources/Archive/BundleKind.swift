extension Bundle {
    /// What the source is: by its first bytes, and among archives by its name.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A lone document; every document is taken for COLLADA until it is parsed.
        case dae
        case zip
        case zae
        case kmz
        case folder

        /// What the name says; `nil` where it says nothing.
        package init?(named name: String) {
            guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
            self.init(ending: name.utf8[name.utf8.index(after: dot)...])
        }

        /// What the letters behind a name's last dot say.
        init?(ending: Substring.UTF8View) {
            let kinds: [(StaticString, Kind)] = [("dae", .dae), ("zip", .zip), ("zae", .zae), ("kmz", .kmz)]
            let kind = kinds.first { word, _ in
                word.withUTF8Buffer { ending.elementsEqual($0) { $0 == $1 || $0 | 0x20 == $1 } }
            }
            guard let kind else { return nil }
            self = kind.1
        }

        package var isArchive: Bool {
            switch self {
            case .zip, .zae, .kmz: true
            case .dae, .folder: false
            }
        }
    }
}

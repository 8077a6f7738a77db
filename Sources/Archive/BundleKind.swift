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
            switch name[name.utf8.index(after: dot)...].lowercased() {
            case "dae": self = .dae
            case "zip": self = .zip
            case "zae": self = .zae
            case "kmz": self = .kmz
            default: return nil  // strings
            }
        }

        package var isArchive: Bool {
            switch self {
            case .zip, .zae, .kmz: true
            case .dae, .folder: false
            }
        }
    }
}

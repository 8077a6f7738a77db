public import Archive

extension Bundle: ResourceContainer {
    public func contains(_ path: String) -> Bool { entry(at: path) != nil }
    public func presence(of path: String) -> ResourcePresence {
        if entry(at: path) != nil { return .file }
        switch obstacle(at: path) {
        case .link: return .link
        case .special: return .special
        case nil: return leadsIntoUnreadable(path) ? .unreadable : .none
        }
    }

    public var paths: [String] { entries.map(\.path) }

    /// A lone document has files beside it that are no entries.
    public var isListComplete: Bool {
        switch kind {
        case .dae: false
        case .zip, .zae, .kmz, .folder: true
        }
    }

    public func container(at archive: String) -> (any ResourceContainer)? { self.archive(at: archive) }

    public func bytes(at path: String, limit: Int) -> [UInt8]? {
        entry(at: path).flatMap { try? bytes(of: $0, limit: limit) }
    }
}

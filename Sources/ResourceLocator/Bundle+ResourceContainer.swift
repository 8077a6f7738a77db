public import Archive

extension Bundle: ResourceContainer {
    public func contains(_ path: String) -> Bool { entry(at: path) != nil }
    public var paths: [String] { entries.map(\.path) }

    /// A lone document has files beside it that are no entries.
    public var isListComplete: Bool {
        switch kind {
        case .dae: false
        case .zip, .zae, .kmz, .folder: true
        }
    }

    public func bytes(at path: String, limit: Int) -> [UInt8]? {
        entry(at: path).flatMap { try? bytes(of: $0, limit: limit) }
    }
}

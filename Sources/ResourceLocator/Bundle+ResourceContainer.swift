public import Archive

extension Bundle: ResourceContainer {
    public func contains(_ path: String) -> Bool { entry(at: path) != nil }
    public var paths: [String] { entries.map(\.path) }
}

public import Diagnostics
public import ResourceLocator

/// A file that a document names, and how it was looked for.
public struct FollowedReference: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
        case image, document
    }

    public let kind: Kind
    /// The image's; `nil` of a document.
    public let id: String?
    public let name: String?
    /// The path of the document that names the file.
    public let base: String
    /// Its reference is empty where an image names no file.
    public let resolution: Resolution

    public init(kind: Kind, id: String? = nil, name: String? = nil, base: String, resolution: Resolution) {
        self.kind = kind
        self.id = id
        self.name = name
        self.base = base
        self.resolution = resolution
    }
}

extension FollowedReference {
    /// What ``Resolution/json`` has, with `kind`, `id`, `name` and `document`, the path of the one that names the file.
    public var json: JSONValue {
        guard case .object(var members) = resolution.json else { return .null }
        members["kind"] = .string(kind.rawValue)
        members["id"] = JSONValue(id)
        members["name"] = JSONValue(name)
        members["document"] = .string(base)
        return .object(members)
    }
}

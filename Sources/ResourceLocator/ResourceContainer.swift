/// Holds files under names: an archive, a folder, a list in memory.
public protocol ResourceContainer: Sendable {
    /// Whether a file (no folder) has exactly this path; upper and lower case differ.
    func contains(_ path: String) -> Bool
    /// What lies at a path.
    func presence(of path: String) -> ResourcePresence
    /// Every file's path in any order; one that occurs twice counts once.
    var paths: [String] { get }
    /// Whether ``paths`` holds every file that ``contains(_:)`` knows.
    var isListComplete: Bool { get }
    /// The bytes of a small file; `nil` where they cannot be had, or are more than `limit`.
    func bytes(at path: String, limit: Int) -> [UInt8]?
    /// What lies in the archive at a path; `nil` where there is none that could be opened.
    func container(at archive: String) -> (any ResourceContainer)?
}

extension ResourceContainer {
    public func presence(of path: String) -> ResourcePresence { contains(path) ? .file : .none }
    public var isListComplete: Bool { true }
    public func bytes(at path: String, limit: Int) -> [UInt8]? { nil }
    public func container(at archive: String) -> (any ResourceContainer)? { nil }
}

/// Paths in memory, with small files' bytes where they matter.
package struct ResourceList: ResourceContainer {
    package let paths: [String]
    private let names: Set<ExactName>
    private let contents: [String: [UInt8]]

    /// - Parameter contents: By path; what is not there has no bytes.
    package init(_ paths: [String], contents: [String: [UInt8]] = [:]) {
        self.paths = paths
        self.names = Set(paths.map(ExactName.init))
        self.contents = contents
    }

    package func contains(_ path: String) -> Bool { names.contains(ExactName(path)) }

    package func bytes(at path: String, limit: Int) -> [UInt8]? {
        contents[path].flatMap { $0.count <= limit ? $0 : nil }
    }
}

/// A name that equals another byte for byte only; a plain `String` takes composed and decomposed letters for equal.
struct ExactName: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ExactName, right: ExactName) -> Bool { left.text.hasBytes(of: right.text) }

    func hash(into hasher: inout Hasher) {
        let hashed: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if hashed == nil { Array(text.utf8).withUnsafeBytes { hasher.combine(bytes: $0) } }
    }
}

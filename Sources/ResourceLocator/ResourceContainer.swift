/// Holds files under names: an archive, a folder, a list in memory.
public protocol ResourceContainer: Sendable {
    /// Whether a file (no folder) has exactly this path; upper and lower case differ.
    func contains(_ path: String) -> Bool
    /// Every file's path in any order; one that occurs twice counts once.
    var paths: [String] { get }
}

/// Paths in memory, with nothing behind them.
public struct ResourceList: ResourceContainer {
    public let paths: [String]
    private let names: Set<ExactName>

    public init(_ paths: [String]) {
        self.paths = paths
        self.names = Set(paths.map(ExactName.init))
    }

    public func contains(_ path: String) -> Bool { names.contains(ExactName(path)) }
}

/// A name that equals another byte for byte only; a plain `String` takes composed and decomposed letters for equal.
struct ExactName: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ExactName, right: ExactName) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        let hashed: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if hashed == nil { Array(text.utf8).withUnsafeBytes { hasher.combine(bytes: $0) } }
    }
}

import FoundationEssentials

/// Where things lie in a checkout of this repository.
public enum Repository {
    /// The top folder.
    public static let root: String = {
        var parts = #filePath.split(separator: "/").map(String.init)
        parts.removeLast(3)
        return "/" + parts.joined(separator: "/")
    }()
    public static let fixtures = root + "/Fixtures"
    /// The corpus of real models at `$DAE_CORPUS`, else beside the checkout; `nil` where it is absent.
    public static let corpus: String? = {
        let path = ProcessInfo.processInfo.environment["DAE_CORPUS"] ?? root + "/../shared/corpus"
        return FileManager.default.fileExists(atPath: path + "/MANIFEST.tsv") ? path : nil
    }()
    /// The folder of the Khronos schemas at `$DAE_SCHEMAS`, else beside the checkout; `nil` where it is absent.
    public static let schemas: String? = {
        let path = ProcessInfo.processInfo.environment["DAE_SCHEMAS"] ?? root + "/../shared/reference/xsd"
        return FileManager.default.fileExists(atPath: path + "/collada_schema_1_5.xsd") ? path : nil
    }()

    /// The bytes of a file below `Fixtures/`.
    public static func fixture(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: fixtures + "/" + path)))
    }
}

/// A new empty folder, removed with all it holds when the value goes.
public final class TemporaryFolder: Sendable {
    /// Where all of them lie.
    public static var parent: String { FileManager.default.temporaryDirectory.path }

    public let path: String

    public init() throws {
        path = Self.parent + "/daedalus-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, with the folders on its way; gives its whole path.
    @discardableResult
    public func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = URL(filePath: path + "/" + name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }

    @discardableResult
    public func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }
}

import FoundationEssentials

extension Repository {
    /// Names in a folder below `Fixtures/`, sorted; none where it is absent. Hidden ones are left out.
    public static func fixtureNames(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: fixtures + "/" + folder)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }

    /// Whether a fixture is a folder.
    public static func isFolder(fixture path: String) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: fixtures + "/" + path)) != nil
    }

    /// Writes a file below `Fixtures/`.
    /// The bytes of any file.
    public static func bytes(at path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

    public static func write(_ bytes: [UInt8], fixture path: String) throws {
        try Data(bytes).write(to: URL(filePath: fixtures + "/" + path))
    }

    /// The path of every file below a folder, relative to it, sorted.
    public static func files(below folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
    }

    /// The lines of a table of tab-separated values, by the names in its first line.
    public static func table(_ path: String) throws -> [[String: String]] {
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        let lines = text.split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        guard let names = lines.first else { return [] }
        return lines.dropFirst().map { Dictionary(zip(names, $0), uniquingKeysWith: { first, _ in first }) }
    }

    /// The value of an environment variable.
    public static func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}

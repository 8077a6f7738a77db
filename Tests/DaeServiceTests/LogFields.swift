import TestSupport

/// Which fields a line of the log may have, as the documentation says it.
enum LogFields {
    private static let documented = Result { () throws -> Set<String> in
        let text = String(
            decoding: try Repository.bytes(at: Repository.root + "/Sources/Daedalus/Daedalus.docc/Operations.md"),
            as: UTF8.self)
        let part = text.split(separator: "\n## ").first { $0.hasPrefix("The log\n") } ?? ""
        let cells = part.split(separator: "\n").filter { $0.hasPrefix("| `") }
            .compactMap { $0.split(separator: "|").first }
        return Set(cells.flatMap { $0.matches(of: /`([A-Za-z0-9]+)`/).map { String($0.1) } })
    }

    /// The fields that are not documented; all of them where nothing is.
    static func undocumented(in log: String) -> [String] {
        let known = (try? documented.get()) ?? []
        let lines = log.split(separator: "\n").compactMap { try? JSONNode(parsing: Array($0.utf8)) }
        return Set(lines.flatMap { $0.members.keys }).subtracting(known).sorted()
    }
}

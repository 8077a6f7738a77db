import Diagnostics

extension EntryNames {
    /// A finding for each entry whose name holds control characters; it is used as it is.
    static func tellControls(in entries: [Bundle.Entry], log: inout FindingLog) {
        for entry in entries where !entry.path.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
            guard entry.path.unicodeScalars.contains(where: \.isControl) else { continue }
            log.add(
                .archiveNameEncoding, at: Place(entry: entry.path),
                "the name \(escaped(entry.path)) holds control characters", arguments: [.init("name", entry.path)])
        }
    }

    /// With `\n`, `\u{1B}` and the like where such characters stand; at most 200 characters.
    private static func escaped(_ name: String) -> String {
        let shown = name.unicodeScalars.prefix(200).map { scalar in
            scalar.isControl ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return shown.joined() + (name.unicodeScalars.dropFirst(200).isEmpty ? "" : "…")
    }
}

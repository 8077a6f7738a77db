import Diagnostics

extension EntryNames {
    /// A finding for each entry whose name holds control characters; it is used as it is.
    static func tellControls(in entries: [Bundle.Entry], log: inout FindingLog) {
        for entry in entries where !entry.path.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
            guard entry.path.unicodeScalars.contains(where: isControl) else { continue }
            log.add(
                .archiveNameEncoding, at: Place(entry: entry.path),
                "the name \(escaped(entry.path)) holds control characters", arguments: [.init("name", entry.path)])
        }
    }

    /// With `\n`, `\u{1B}` and the like where such characters stand; at most 200 characters.
    private static func escaped(_ name: String) -> String {
        let shown = name.unicodeScalars.prefix(200).map { scalar in
            isControl(scalar) ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return shown.joined() + (name.unicodeScalars.dropFirst(200).isEmpty ? "" : "…")
    }

    /// C0 and C1, which terminals heed, and the marks that turn around what is read: `exe.png` can be `gnp.exe`.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false  // integers
        }
    }
}

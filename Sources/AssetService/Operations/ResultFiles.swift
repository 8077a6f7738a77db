// The time of last access is set by us, whatever the disk is mounted with: it is when the file was last asked for.

import Daedalus
import FileMetadata

/// A file of results.
struct ResultFile: Sendable {
    let path: String
    let bytes: Int64
    /// Seconds since 1970.
    let used: Int64
    let kind: Kind

    enum Kind: Sendable {
        /// The outcome of the reading, which is not made again.
        case outcome
        /// Made again when it is asked for.
        case derived
        /// Not whole: somebody is writing it, or was killed at it.
        case unfinished
    }

    init?(_ path: String) {
        guard let metadata = FileMetadata(path), case .file = metadata.kind else { return nil }
        self.path = path
        bytes = metadata.size
        used = max(metadata.used, metadata.changed)
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        // A file on its way has the end that ``WholeFile`` gives it, or the one that the exporter does.
        let last = name.split(separator: ".").last.map(String.init) ?? ""
        kind = name == "state.json" ? .outcome : Self.isWhole(name, last) ? .derived : .unfinished
    }

    private static func isWhole(_ name: String, _ last: String) -> Bool {
        let isNamed = ["json", "sarif", "md", "glb"].contains(last)
        // The copies of entries are named by a digest alone.
        return isNamed || !name.contains(".")
    }

    /// Says that a file is asked for now; whether it is there.
    static func use(_ path: String) -> Bool { FileMetadata.markUsed(path) }

    /// All below the folder of results, as deep as this program lays its folders.
    static func all(_ folder: ServiceFolder) -> [ResultFile] {
        var (files, folders): ([ResultFile], [String]) = ([], [folder.results])
        for _ in 0..<5 {
            var deeper: [String] = []
            for place in folders {
                for name in ServiceFolder.names(in: place) {
                    if let file = ResultFile("\(place)/\(name)") {
                        files.append(file)
                    } else {
                        deeper.append("\(place)/\(name)")
                    }
                }
            }
            folders = deeper
        }
        return files
    }
}

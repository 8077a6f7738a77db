import DaeCore
import Daedalus

// The time of last access is set by us, whatever the disk is mounted with: it is when the file was last asked for.

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
        let isNamed = ["json", "sarif", "md", "png"].contains(last) || ModelForm(rawValue: name) != nil
        // The copies of entries are named by a digest alone.
        return isNamed || !name.contains(".")
    }

    /// Of the bytes that it was made of: it lies in a folder that begins with their digest.
    var digest: SHA256Digest? {
        path.split(separator: "/").lazy.compactMap { SHA256Digest(hex: String($0.prefix { $0 != "." })) }.first
    }

    /// Whether nobody writes it any more: who writes to a file changes its time.
    ///
    /// - Parameter now: Seconds since 1970.
    func isAbandoned(_ now: Int64) -> Bool {
        switch kind {
        case .unfinished: now - used > 300
        case .outcome, .derived: false
        }
    }

    /// What is not whole is no result: it goes by itself.
    fileprivate var counted: Int64 {
        switch kind {
        case .unfinished: 0
        case .outcome, .derived: bytes
        }
    }
}

/// Results in the folder of one machine.
struct EvictableResults: Sendable {
    let folder: ServiceFolder

    /// All results, as deep as this program lays its folders.
    func all() -> [ResultFile] { files(in: [folder.results]) }

    /// Bytes of all that was made of some bytes.
    func bytes(of digest: SHA256Digest) -> Int64 {
        let group = FolderReading.folder(of: "\(folder.path)/\(ObjectKey.results(of: digest))")
        let folders = ServiceFolder.names(in: group).filter { ContentKey(digest: digest, text: $0) != nil }
        return files(in: folders.map { "\(group)/\($0)" }).reduce(0) { $0 + $1.counted }
    }

    private func files(in folders: [String]) -> [ResultFile] {
        var (files, folders): ([ResultFile], [String]) = ([], folders)
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

/// What results take, by the digest of what they were made of.
struct ResultAccount: Sendable {
    private(set) var bytes: Int64 = 0
    private var sizes: [SHA256Digest: Int64] = [:]

    init(_ files: [ResultFile] = []) {
        for file in files {
            guard let digest = file.digest else { continue }
            sizes[digest, default: 0] += file.counted
            bytes += file.counted
        }
    }

    mutating func set(_ digest: SHA256Digest, to size: Int64) {
        bytes += size - (sizes[digest] ?? 0)
        sizes[digest] = size > 0 ? size : nil
    }

    mutating func subtract(_ size: Int64, from digest: SHA256Digest) { set(digest, to: (sizes[digest] ?? 0) - size) }
}

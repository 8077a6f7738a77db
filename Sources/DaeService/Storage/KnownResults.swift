import DaeCore
import Daedalus

/// What was read of contents, so that nothing is read twice that gives the same.
struct KnownResults: Sendable {
    let folder: ServiceFolder

    // MARK: - Where results are

    /// The file of this name among what was read under a key.
    func path(_ name: String, of key: ContentKey) -> String { "\(folder.results(key))/\(name)" }

    private func state(_ key: ContentKey) -> String { path("state.json", of: key) }

    // MARK: - Outcomes

    /// The outcome of bytes that were read before; `nil` where reading them again may give another.
    func state(of content: StoredContent) -> AssetState? {
        (try? TextFile.read(state(content.key))).flatMap { try? StateText.read(AssetState.self, $0) }
    }

    /// The same as the outcome of the attempt that is being made: a later attempt's state never follows an earlier one's.
    func state(of content: StoredContent, after state: AssetState, source: String) throws -> AssetState? {
        guard let known = self.state(of: content), case .downloading = state else { return nil }
        var machine = AssetStateMachine(source: .url(source), state: state)
        let attempt = state.attempt
        if known.failure?.stage != .download {
            _ = try machine.handle(.downloaded(archive: content.name, attempt: attempt))
        }
        switch known {
        case .ready(let ready):
            _ = try machine.handle(.unzipped(document: content.name, bytes: nil, attempt: attempt))
            _ = try machine.handle(.parsed(ready.summary, attempt: attempt))
        case .failed(let failure):
            if failure.stage == .parse {
                _ = try machine.handle(.unzipped(document: content.name, bytes: nil, attempt: attempt))
            }
            _ = try machine.handle(.failed(failure.reason, .nothing, attempt: attempt))
        case .downloading, .unzipping, .parsing: return nil
        }
        return machine.state
    }

    func keep(_ outcome: AssetState, of key: ContentKey) throws {
        guard Self.isLasting(outcome) else { return }
        try ServiceFolder.make(folder.results(key))
        try WholeFile.write(Array(try StateText.text(outcome).utf8), to: state(key), by: folder.place(of: state(key)))
    }

    /// Whether reading the same bytes again would give no other.
    static func isLasting(_ state: AssetState) -> Bool {
        state.isSettled && !state.canRetry && !state.isCancelled
    }

    /// The bytes of all that was made, by digest.
    func digests() -> [SHA256Digest] {
        var digests: Set<SHA256Digest> = []
        for group in ServiceFolder.names(in: folder.results) {
            for name in ServiceFolder.names(in: "\(folder.results)/\(group)") {
                if let digest = SHA256Digest(hex: String(name.prefix { $0 != "." })) { digests.insert(digest) }
            }
        }
        return Array(digests)
    }

    /// Forgets all that was made of some bytes.
    func remove(_ digest: SHA256Digest) {
        for folder in folders(of: digest) { ServiceFolder.remove(folder) }
    }

    /// The folders of all that was made of some bytes.
    func folders(of digest: SHA256Digest) -> [String] {
        let group = folder.results(of: digest)
        return ServiceFolder.names(in: group).filter { ContentKey(digest: digest, text: $0) != nil }
            .map { "\(group)/\($0)" }
    }
}

enum TextFile {
    /// The whole of a file that this program wrote.
    static func read(_ path: String) throws(StorageError) -> String { String(decoding: try bytes(path), as: UTF8.self) }

    static func bytes(_ path: String) throws(StorageError) -> [UInt8] {
        var bytes: [UInt8] = []
        try FilePieces.read(path) { bytes += $0 }
        return bytes
    }
}

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

    /// Bytes of all that was made of some bytes.
    static func bytes(of digest: SHA256Digest, _ results: KnownResults) -> Int64 {
        all(in: results.folders(of: digest)).reduce(0) { $0 + $1.counted }
    }

    /// What is not whole is no result: it goes by itself.
    fileprivate var counted: Int64 {
        switch kind {
        case .unfinished: 0
        case .outcome, .derived: bytes
        }
    }

    /// Says that a file is asked for now; whether it is there.
    static func use(_ path: String) -> Bool { FileMetadata.markUsed(path) }

    /// All below the folder of results, as deep as this program lays its folders.
    static func all(_ folder: ServiceFolder) -> [ResultFile] { all(in: [folder.results]) }

    private static func all(in folders: [String]) -> [ResultFile] {
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

    mutating func take(_ size: Int64, from digest: SHA256Digest) { set(digest, to: (sizes[digest] ?? 0) - size) }
}

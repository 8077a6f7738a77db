import DaeCore
import Daedalus
import Synchronization

// By content and not by dates: what comes from a checkout or an archive has those of its arrival.

/// What was written below a folder, of what and how: kept in it as `.dae-convert.json`, for `--update`. A class, for the
/// threads that write models tell it.
final class ConvertManifest: Sendable {
    /// What was made of one source.
    private struct Record {
        var fingerprint: String
        /// By path, the SHA-256 of the source, and of the images beside it that it shows.
        var inputs: [String: String]
        /// Paths below the folder.
        var outputs: [String]
    }

    private static let name = ".dae-convert.json"
    private static let limit = 64 << 20

    private let folder: String
    /// `nil` where nothing is kept.
    private let fingerprint: String?
    private let scales: ConvertScales
    /// Of the last time, by source.
    private let known: [String: Record]
    private let owned: Set<String>
    private let failed = Mutex<Set<String>>([])
    private let made = Mutex<[String: Record]>([:])

    /// - Parameter fingerprint: What files are made with; `nil` for a run that neither looks at the manifest nor keeps one.
    init(folder: String, fingerprint: String?, scales: ConvertScales) {
        self.scales = scales
        self.folder = folder.hasSuffix("/") ? folder : folder + "/"
        self.fingerprint = fingerprint
        known = fingerprint == nil ? [:] : Self.records(in: self.folder)
        owned = Set(known.values.flatMap(\.outputs))
    }

    /// One that cannot be read is none: all is written again then, and nothing that is there is replaced.
    private static func records(in folder: String) -> [String: Record] {
        guard let bytes = try? ControlFile.bytes(folder + name, limit: limit),
            case .object(let members)? = (try? LocatedJSON.value(in: bytes))?["sources"]?.value
        else { return [:] }
        var records: [String: Record] = [:]
        for (source, _, record) in members {
            guard let fingerprint = record["options"]?.string, case .object(let inputs)? = record["inputs"]?.value,
                let outputs = record["outputs"]?.array
            else { continue }
            records[source] = Record(
                fingerprint: fingerprint,
                inputs: Dictionary(inputs.compactMap { path, _, digest in digest.string.map { (path, $0) } }) { $1 },
                outputs: outputs.compactMap(\.string))
        }
        return records
    }

    /// Whether a file was written the last time, so that it may be replaced.
    func owns(_ path: String) -> Bool { owned.contains(String(path.dropFirst(folder.count))) }

    /// With the scale that a robot's description gives a source.
    private func fingerprint(of source: String) -> String? {
        fingerprint.map { $0 + scales.scale(of: source).fingerprint }
    }

    /// Whether a source, and all that was made of it, is as it was.
    func isUnchanged(_ source: String) -> Bool {
        guard let record = known[source], record.fingerprint == self.fingerprint(of: source), !record.inputs.isEmpty,
            !record.outputs.isEmpty, record.outputs.allSatisfy({ ControlFile.kind(folder + $0) == .file }),
            record.inputs.allSatisfy({ Self.digest(of: $0) == $1 })
        else { return false }
        made.withLock { $0[source] = record }
        return true
    }

    /// Sees to it that a source is written again the next time, whatever is known of it.
    func forget(_ source: String) { failed.withLock { _ = $0.insert(Self.file(of: source)) } }

    /// Of an archive's entry the archive is what may change.
    private static func file(of source: String) -> String {
        source.firstRange(of: "!/").map { String(source[..<$0.lowerBound]) } ?? source
    }

    /// - Parameter source: As it was read: of one that has several models, or an entry in it, it is told once for each.
    func note(_ path: String, of source: String, _ model: Model) {
        let given = Self.file(of: source)
        guard let fingerprint = fingerprint(of: given) else { return }
        let inputs = Self.inputs(of: given, model)
        made.withLock { made in
            var record = made[given] ?? Record(fingerprint: fingerprint, inputs: inputs, outputs: [])
            record.outputs.append(String(path.dropFirst(folder.count)))
            // What is not known of one model is not known of all.
            record.inputs = record.inputs.isEmpty || inputs.isEmpty ? [:] : record.inputs.merging(inputs) { $1 }
            made[given] = record
        }
    }

    /// Files by their digests; none where some are not files of this machine, or not there.
    private static func inputs(of source: String, _ model: Model) -> [String: String] {
        guard ControlFile.kind(source) == .file else { return [:] }
        var paths = [source]
        if model.inspection.source.kind == .dae {
            for image in model.inspection.images where image.status != .embedded {
                guard let path = image.path else { return [:] }
                paths.append(ControlFile.path(path, from: FolderReading.folder(of: source)))
            }
        }
        var inputs: [String: String] = [:]
        for path in paths {
            guard let digest = digest(of: path) else { return [:] }
            inputs[path] = digest
        }
        return inputs
    }

    private static func digest(of path: String) -> String? {
        guard ControlFile.kind(path) == .file, let file = try? OpenFile(path, .reading) else { return nil }
        var hasher = SHA256Hasher()
        var block = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = block.withUnsafeMutableBytes { buffer in (try? file.read(into: buffer)) ?? -1 }
            guard count > 0 else { return count == 0 ? hasher.finish().hex : nil }
            block.withUnsafeBytes { hasher.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }

    /// Keeps what was made for the next time.
    func save() throws(DaeExit) {
        guard fingerprint != nil else { return }
        // A source that failed, or was not named now, keeps what it has there.
        var records = known.merging(made.withLock { $0 }) { $1 }
        for source in failed.withLock({ $0 }) { records[source]?.inputs = [:] }
        let sources = records.mapValues { record -> JSONValue in
            [
                "options": .string(record.fingerprint), "outputs": JSONValue(record.outputs.sorted()),
                "inputs": .object(record.inputs.mapValues { .string($0) }),
            ]
        }
        let stream = try OutputStream(path: folder + Self.name)
        let json: JSONValue = ["schemaVersion": 1, "sources": .object(sources)]
        try stream.write(json.text(.indented) + [UInt8(ascii: "\n")])
        try stream.finish()
    }
}

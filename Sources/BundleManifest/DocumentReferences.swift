// Which documents a document refers to, without reading it: a reference into another one ends in `name.dae#id` within
// quotes, and `#` occurs nowhere in long lists of numbers.

import Archive
import Glibc
import URIReference

/// Finds the documents that others refer to: they are parts of models, no models of their own.
public struct DocumentReferences: Sendable {
    /// The files that are named, as written, each once.
    public private(set) var files: [String] = []
    /// The end of what was read: a reference may be cut in two.
    private var rest: [UInt8] = []

    /// Bytes of a reference, and how many are kept of one document.
    private static let longest = 4096
    private static let most = 1024
    /// Bytes of all documents of one bundle that are looked through.
    private static let mostBytes: Int64 = 1 << 30

    public init() {}

    /// Takes the next bytes of the document.
    public mutating func read(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        var start = 0
        while start < bytes.count, let found = memchr(base + start, 0x23, bytes.count - start) {
            let place = base.distance(to: UnsafeRawPointer(found))
            start = place + 1
            // Most are `"#id"`.
            if place > 0, bytes[place - 1] == 0x22 || bytes[place - 1] == 0x27 { continue }
            take(bytes, upTo: place)
        }
        let kept = bytes.suffix(Self.longest)
        rest = (kept.count < Self.longest ? rest.suffix(Self.longest - kept.count) : []) + Array(kept)
    }

    private mutating func take(_ bytes: UnsafeRawBufferPointer, upTo end: Int) {
        guard files.count < Self.most else { return }
        var text: [UInt8] = []
        var index = end
        while text.count < Self.longest {
            index -= 1
            let byte: UInt8
            if index >= 0 {
                byte = bytes[index]
            } else if rest.count + index >= 0 {
                byte = rest[rest.count + index]
            } else {
                return
            }
            if byte == 0x22 || byte == 0x27 { break }
            if byte == 0x3C || byte == 0x3E { return }
            text.append(byte)
            // Nothing but a document is looked for.
            if text.count == 4, !text.reversed().map({ $0 | 0x20 }).elementsEqual(".dae".utf8) { return }
        }
        guard text.count > 4 else { return }
        let file = String(decoding: text.reversed(), as: UTF8.self)
        if !files.contains(file) { files.append(file) }
    }
}

extension DocumentReferences {
    /// The documents to which no other refers; of those that refer to each other in a ring the first.
    ///
    /// - Parameters:
    ///   - paths: Of all documents, relative to one folder.
    ///   - files: The files that the document at a path names, as written.
    public static func models(among paths: [String], files: (String) -> [String]) -> [String] {
        guard paths.count > 1 else { return paths }
        var places: [String: Int] = [:]
        for (place, path) in paths.enumerated() where places[path.lowercased()] == nil {
            places[path.lowercased()] = place
        }
        let targets = paths.enumerated().map { own, path in
            files(path).flatMap { Self.paths(of: $0, from: path) }.compactMap { places[$0.lowercased()] }
                .filter { $0 != own }
        }
        var isReferred = [Bool](repeating: false, count: paths.count)
        for target in targets.joined() { isReferred[target] = true }
        var isReached = [Bool](repeating: false, count: paths.count)
        var models: Set<Int> = []
        for pass in [isReferred.map { !$0 }, isReferred] {
            for start in paths.indices where pass[start] && !isReached[start] {
                models.insert(start)
                var waiting = [start]
                while let next = waiting.popLast() {
                    guard !isReached[next] else { continue }
                    isReached[next] = true
                    waiting += targets[next]
                }
            }
        }
        return models.sorted().map { paths[$0] }
    }

    /// What a reference may mean, read against the folder of the document that has it, and against the top.
    private static func paths(of file: String, from document: String) -> [String] {
        var texts = [file]
        if let decoded = PercentEncoding.decode(file), decoded != file { texts.append(decoded) }
        return texts.flatMap { text in
            let text = text.replacing("\\", with: "/")
            return [BundlePath.resolve(text, against: BundlePath.folder(of: document)), BundlePath.resolve(text)]
                .compactMap { target in
                    switch target {
                    case .file(let path): path
                    case .folder, .outside: nil
                    }
                }
        }
    }

    /// The documents of a bundle to which no other refers; what cannot be read refers to nothing.
    static func models(among documents: [Bundle.Entry], of bundle: Bundle) -> [Bundle.Entry] {
        var entries: [String: Bundle.Entry] = [:]
        for entry in documents { entries[entry.path] = entry }
        var left = mostBytes
        return models(among: documents.map(\.path)) { path in
            guard let entry = entries[path], entry.size <= left else { return [] }
            left -= entry.size
            var references = DocumentReferences()
            try? bundle.read(entry, chunkSize: 1 << 18) { references.read($0) }
            return references.files
        }.compactMap { entries[$0] }
    }
}

// Which documents a document refers to, without parsing it: the attributes that hold references, wherever they stand.
// What stands in comments and texts refers to nothing. Between tags there are long lists of numbers, which are skipped.

import DaeCore

/// Finds the documents that others refer to: they are parts of models, no models of their own.
package struct DocumentReferences: Sendable {
    /// The files that are named, as written, each once.
    package private(set) var files: [String] = []
    private var known: Set<String> = []
    private var encoding = Encoding.unknown(first: nil)
    private var state = State.text
    /// Of the reference that is being read.
    private var value: [UInt8] = []

    private enum Encoding {
        /// Of the first byte, where there was one.
        case unknown(first: UInt8?)
        case ofBytes
        case utf16(UTF16Decoding)
    }

    private enum State {
        case text
        /// Behind `<`, as far as it is the start of what is no tag.
        case opened(Int)
        case skipped(Skipped)
        case tag(Word)
        case value(quote: UInt8, isReference: Bool)
    }

    /// What ends with marks of its own.
    private struct Skipped {
        let end: StaticString
        /// Bytes of the end that are there.
        var count = 0

        /// Whether it ends here.
        mutating func take(_ byte: UInt8) -> Bool {
            let last = end.utf8CodeUnitCount - 1
            let (wanted, first) = (end.utf8Start[count], end.utf8Start[0])
            if byte == wanted {
                count += 1
                return count > last
            }
            // All marks before the last are the same.
            if !(count == last && byte == first) { count = byte == first ? 1 : 0 }
            return false
        }
    }

    /// The name in a tag that is being read, its last eight bytes in a number.
    private struct Word {
        private var bytes: UInt64 = 0
        private var isEnded = false

        mutating func take(_ byte: UInt8) {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: isEnded = true
            case UInt8(ascii: "="): break
            default:
                bytes = (isEnded ? 0 : bytes << 8) | UInt64(byte)
                isEnded = false
            }
        }

        var namesReference: Bool { Self.references.contains(bytes) }

        private static let references: Set<UInt64> = Set(
            ["url", "source", "target"].map { $0.utf8.reduce(0) { $0 << 8 | UInt64($1) } })
    }

    /// Bytes of a reference, and how many are kept of one document.
    private static let longest = 4096
    private static let most = 1024
    /// Bytes of all documents of one bundle that are looked through.
    fileprivate static let mostBytes: Int64 = 1 << 30

    package init() {}

    /// Takes the next bytes of the document.
    package mutating func read(_ bytes: UnsafeRawBufferPointer) {
        guard let byte = bytes.first else { return }
        switch encoding {
        case .ofBytes: scan(bytes)
        case .utf16(var decoding):
            let text = decoding.utf8(of: bytes)
            encoding = .utf16(decoding)
            text.withUnsafeBytes { scan($0) }
        case .unknown(first: nil) where bytes.count == 1: encoding = .unknown(first: byte)
        case .unknown(let first):
            let start = (first.map { [$0] } ?? []) + bytes.prefix(2)
            encoding = UTF16Decoding(documentStart: start).map { .utf16($0) } ?? .ofBytes
            if let first { withUnsafeBytes(of: first) { read($0) } }
            read(bytes)
        }
    }

    private mutating func scan(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        /// Goes on behind the next byte of this kind, and gives what stands before it.
        func skip(to byte: UInt8) -> (text: Slice<UnsafeRawBufferPointer>, isFound: Bool) {
            guard let base = bytes.baseAddress, let found = memchr(base + index, Int32(byte), bytes.count - index)
            else {
                defer { index = bytes.count }
                return (bytes[index...], false)
            }
            let place = base.distance(to: UnsafeRawPointer(found))
            defer { index = place + 1 }
            return (bytes[index..<place], true)
        }
        while index < bytes.count {
            switch state {
            case .text: if skip(to: UInt8(ascii: "<")).isFound { state = .opened(0) }
            case .value(let quote, let isReference):
                let (text, isFound) = skip(to: quote)
                if isReference, value.count <= Self.longest { value.append(contentsOf: text.prefix(Self.longest + 1)) }
                guard isFound else { break }
                if isReference { take() }
                state = .tag(Word())
            case .opened(let count):
                state = Self.state(behind: count, bytes[index])
                // Else the byte is looked at again.
                if case .opened = state { index += 1 }
                if case .skipped = state { index += 1 }
            case .skipped(var skipped):
                state = skipped.take(bytes[index]) ? .text : .skipped(skipped)
                index += 1
            case .tag(var word):
                let byte = bytes[index]
                index += 1
                switch byte {
                case UInt8(ascii: ">"): state = .text
                case UInt8(ascii: "<"): state = .opened(0)
                case UInt8(ascii: "\""), UInt8(ascii: "'"):
                    value.removeAll(keepingCapacity: true)
                    state = .value(quote: byte, isReference: word.namesReference)
                default:
                    word.take(byte)
                    state = .tag(word)
                }
            }
        }
    }

    /// What a byte behind `<` and the first bytes of `!--` or `![CDATA[` makes of it.
    private static func state(behind count: Int, _ byte: UInt8) -> State {
        switch (count, byte) {
        case (0, UInt8(ascii: "?")): .skipped(.init(end: "?>"))
        case (0, UInt8(ascii: "!")): .opened(1)
        case (1, UInt8(ascii: "-")): .opened(2)
        case (2, UInt8(ascii: "-")): .skipped(.init(end: "-->"))
        case (1, UInt8(ascii: "[")): .skipped(.init(end: "]]>"))
        default: .tag(Word())
        }
    }

    /// Takes the reference that was read, where it leads into a document.
    private mutating func take() {
        let isEnd = { [value] (index: Int) in
            value[index] == UInt8(ascii: "#") && index > 4
                && value[..<index].suffix(4).elementsEqual(".dae".utf8) { $0 | 0x20 == $1 || $0 == $1 }
        }
        guard files.count < Self.most, value.count <= Self.longest, let hash = value.indices.last(where: isEnd)
        else { return }
        let file = String(decoding: value[..<hash], as: UTF8.self).replacing("&amp;", with: "&")
        if known.insert(file).inserted { files.append(file) }
    }
}

extension DocumentReferences {
    /// The documents to which no other refers; of those that refer to each other in a ring the first.
    ///
    /// - Parameters:
    ///   - paths: Of all documents, relative to one folder.
    ///   - files: The files that the document at a path names, as written.
    package static func models(among paths: [String], files: (String) -> [String]) -> [String] {
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
            entries[path].map { files(in: $0, of: bundle, &left) } ?? []
        }.compactMap { entries[$0] }
    }

    /// Where the references of a bundle's documents may lead, in lower case.
    package static func targets(in bundle: Bundle) -> Set<String> {
        var left = mostBytes
        var targets: Set<String> = []
        for entry in bundle.entries where entry.role == .document {
            for file in files(in: entry, of: bundle, &left) {
                for path in paths(of: file, from: entry.path) { targets.insert(path.lowercased()) }
            }
        }
        return targets
    }

    private static func files(in entry: Bundle.Entry, of bundle: Bundle, _ left: inout Int64) -> [String] {
        guard entry.size <= left else { return [] }
        left -= entry.size
        var references = DocumentReferences()
        try? bundle.read(entry, chunkSize: 1 << 18) { references.read($0) }
        return references.files
    }
}

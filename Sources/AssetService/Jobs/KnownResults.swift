import Daedalus
import Glibc

/// What was read of contents, so that equal ones are read once.
struct KnownResults: Sendable {
    let folder: ServiceFolder

    // MARK: - Where results are

    /// Under which name some bytes were read, or are to be.
    func reading(of content: StoredContent) -> ReadingName {
        guard let neutral = NeutralName(content), access(state(content.key), F_OK) != 0 else {
            return .own(content.key)
        }
        guard let outcome = outcome(of: neutral), !outcome.isTrue(of: content.name) else { return .neutral(neutral) }
        return .own(content.key)
    }

    /// The file of this name among what was read of some bytes.
    func path(_ name: String, of reading: ReadingName) -> String { "\(folder.results(reading.key))/\(name)" }

    private func state(_ key: ContentKey) -> String { folder.results(key) + "/state.json" }

    // MARK: - Outcomes

    /// The outcome of bytes that were read before; `nil` where reading them again may give another.
    func state(of content: StoredContent) -> AssetState? {
        switch reading(of: content) {
        case .own(let key): (try? TextFile.read(state(key))).flatMap { try? StateText.read(AssetState.self, $0) }
        case .neutral(let name): outcome(of: name).flatMap { try? name.named($0.state) }
        }
    }

    /// The same as the outcome of the attempt that is being made: a later attempt's state never follows an earlier one's.
    func state(of content: StoredContent, after state: AssetState, source: String) throws -> AssetState? {
        guard let known = self.state(of: content), case .downloading = state else { return nil }
        var machine = AssetStateMachine(source: source, state: state)
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

    func outcome(of name: NeutralName) -> NeutralOutcome? {
        (try? TextFile.read(state(name.key))).flatMap { try? StateText.read(NeutralOutcome.self, $0) }
    }

    func keep(_ outcome: NeutralOutcome, of name: NeutralName) throws {
        guard Self.isLasting(outcome.state) else { return }
        try ServiceFolder.make(folder.results(name.key))
        let path = state(name.key)
        try WholeFile.write(Array(try StateText.text(outcome).utf8), to: path, by: folder.place(of: path))
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
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(path, errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw StorageError(path, errno) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }
}

/// What came of reading a file under a neutral name.
struct NeutralOutcome: Codable, Sendable {
    let state: AssetState
    /// `nil` where they are not all known: then the file is read under each of its names.
    let mentions: FileMentions?

    /// Whether it is what reading the file under this name would give.
    func isTrue(of name: String) -> Bool { mentions.map { !$0.mayName(name) } ?? false }
}

/// How a file was read, or is to be.
enum ReadingName: Sendable {
    /// Under its own name, or one that is in nothing that is read of it.
    case own(ContentKey)
    case neutral(NeutralName)

    /// Of what was read.
    var key: ContentKey {
        switch self {
        case .own(let key): key
        case .neutral(let name): name.key
        }
    }
}

/// The files of one ending that a file's contents name. One of them may be the file itself, by its own name: what such a
/// reference leads to is not known when the file is read under another.
struct FileMentions: Codable, Sendable, Equatable {
    /// The letters and digits right before the dot of each, in lower case; ``any`` for a name beyond ASCII, whose
    /// letters may stand for others.
    private let words: Set<String>
    private static let any = "*"

    /// More are not kept.
    private static let limit = 1000

    /// `nil` where there are too many.
    ///
    /// - Parameters:
    ///   - text: In which all references are told of.
    ///   - own: The name under which it was read.
    init?(in text: [UInt8], ending: FileEnding, except own: String) {
        var words: Set<String> = []
        // As they were written, and as what is percent-encoded is meant.
        for bytes in [text, Self.decoded(text)] {
            for word in Self.words(in: bytes, before: Array(".\(ending.text)".lowercased().utf8)) {
                words.insert(word)
                guard words.count <= Self.limit else { return nil }
            }
        }
        if let own = Self.word(own) { words.remove(own) }
        self.words = words
    }

    /// Whether a file of this name may be one of them.
    func mayName(_ name: String) -> Bool {
        if words.isEmpty { return false }
        guard name.utf8.allSatisfy({ $0 < 0x80 }), let word = Self.word(name) else { return true }
        return words.contains(word) || words.contains(Self.any)
    }

    private static func word(_ name: String) -> String? {
        guard let ending = FileEnding(name) else { return nil }
        return words(in: Array(name.utf8), before: Array(".\(ending.text)".lowercased().utf8)).last
    }

    private static func words(in bytes: [UInt8], before ending: [UInt8]) -> [String] {
        var words: [String] = []
        // Where the letters and digits that end here begin, and behind the last sign beyond ASCII of the same name.
        var (start, foreign) = (0, 0)
        for at in bytes.indices where !bytes[at].isASCIIWord {
            switch bytes[at] {
            case 0x80...: foreign = at + 1
            case UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "\""): foreign = 0
            default: break
            }
            if bytes[at] == UInt8(ascii: "."), bytes[at...].prefix(ending.count).map(\.lowercased) == ending {
                words.append(String(decoding: bytes[start..<at].map(\.lowercased), as: UTF8.self))
                if foreign > 0 { words.append(any) }
                // A letter behind a back-slash may be a sign of its own.
                if start > 0, start < at, bytes[start - 1] == UInt8(ascii: "\\") {
                    words.append(String(decoding: bytes[(start + 1)..<at].map(\.lowercased), as: UTF8.self))
                }
            }
            start = at + 1
        }
        return words
    }

    private static func decoded(_ text: [UInt8]) -> [UInt8] {
        var (result, at): ([UInt8], Int) = ([], 0)
        result.reserveCapacity(text.count)
        while at < text.count {
            if text[at] == UInt8(ascii: "%"), at + 2 < text.count,
                let byte = UInt8(String(decoding: text[(at + 1)...(at + 2)], as: UTF8.self), radix: 16)
            {
                result.append(byte)
                at += 3
            } else {
                result.append(text[at])
                at += 1
            }
        }
        return result
    }
}

extension UInt8 {
    fileprivate var lowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}

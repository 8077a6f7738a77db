import ByteSource
import URIReference

/// Finds the code page of an archive's names by what its documents and manifests call their files.
struct NamePageGuess {
    /// Names that stand in documents, without endings and in small letters.
    private var names: Set<String> = []
    /// The same of documents that are in a code page themselves, by that.
    private var rawNames: [NamePage: Set<[UInt8]>] = [:]
    /// Names in documents that may still be looked at, known or not.
    private(set) var looksLeft = 100_000
    /// And kept.
    private var keepsLeft = mostNames

    /// Documents that are looked at, bytes of each, and names that are kept, of the documents and of the entries.
    private static let mostDocuments = 16
    private static let mostBytes = 16 << 20
    private static let mostNames = 20_000
    private static let longestName = 1024

    /// The page under which more of the names are found than under code page 437; `nil` where there is none.
    ///
    /// - Parameter raw: Names of entries that are no UTF-8.
    static func page(of raw: [[UInt8]], in bundle: Bundle) -> NamePage? {
        var guess = NamePageGuess()
        let documents = bundle.entries.lazy.filter { entry in
            let path = entry.path.lowercased()
            return [".dae", ".kml", "manifest.xml"].contains(where: path.hasSuffix) && !entry.isJunk
        }
        for document in documents.prefix(mostDocuments) {
            guard let bytes = try? bundle.prefix(of: document, count: mostBytes) else { continue }
            guess.read(bytes)
        }
        return guess.page(of: raw)
    }

    func page(of raw: [[UInt8]]) -> NamePage? {
        guard !names.isEmpty || !rawNames.isEmpty else { return nil }
        let parts = Self.parts(of: raw)
        var best: NamePage?
        var most = parts.count { isNamed(CodePage437.decode($0)) }
        for page in NamePage.allCases {
            guard let decoder = NameDecoder(page) else { continue }
            let count = parts.count { part in
                rawNames[page]?.contains(Self.stem(of: part)) == true || decoder.decode(part).map(isNamed) == true
            }
            if count > most { (best, most) = (page, count) }
        }
        return best
    }

    /// Folders and files whose names are no ASCII, each once; of very many some.
    static func parts(of raw: [[UInt8]]) -> Set<[UInt8]> {
        var parts: Set<[UInt8]> = []
        var left = mostNames
        for name in raw {
            // A slash is no second byte in any of the pages.
            for part in name.split(separator: UInt8(ascii: "/")) where part.count <= longestName {
                guard left > 0 else { return parts }
                left -= 1
                if part.contains(where: { $0 >= 0x80 }) { parts.insert(Array(part)) }
            }
        }
        return parts
    }

    private func isNamed(_ text: String) -> Bool {
        Self.parts(of: text).contains { !$0.utf8.allSatisfy { $0 < 0x80 } && names.contains($0) }
    }

    // MARK: - Names in documents

    mutating func read(_ bytes: [UInt8]) {
        var bytes = bytes
        if var decoding = UTF16Decoding(documentStart: bytes) { bytes = decoding.utf8(of: bytes) }
        let page = Self.page(declaredIn: bytes.prefix(200))
        var index = 0
        while index < bytes.count, looksLeft > 0, keepsLeft > 0 {
            guard bytes[index] >= 0x80 || bytes[index] == UInt8(ascii: "%") else {
                index += 1
                continue
            }
            var (start, end) = (index, index + 1)
            while start > 0, !Self.endsName(bytes[start - 1]), index - start < Self.longestName { start -= 1 }
            while end < bytes.count, !Self.endsName(bytes[end]), end - index < Self.longestName { end += 1 }
            add(bytes[start..<end], in: page)
            index = end
        }
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>, in page: NamePage?) {
        looksLeft -= 1
        guard let text = String(validating: bytes, as: UTF8.self) else {
            guard let page else { return }
            if rawNames[page, default: []].insert(Self.stem(of: bytes)).inserted { keepsLeft -= 1 }
            return
        }
        for text in [text, PercentEncoding.decode(text)].compactMap({ $0 }) {
            for part in Self.parts(of: text) where names.insert(part).inserted { keepsLeft -= 1 }
        }
    }

    /// Names of both kinds that are kept.
    var count: Int { names.count + rawNames.values.reduce(0) { $0 + $1.count } }

    private static func endsName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "/"), 0..<0x20:
            true
        default: false
        }
    }

    /// What back-slashes part, in small letters and without endings.
    private static func parts(of text: String) -> [String] {
        text.lowercased().split(whereSeparator: { $0 == "\\" || $0 == "/" }).map { part in
            let name = part.drop { $0 == " " }
            guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return String(name) }
            return String(name[..<dot])
        }
    }

    /// Without the ending; a dot is no second byte in any of the pages.
    private static func stem(of bytes: some BidirectionalCollection<UInt8>) -> [UInt8] {
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")) else { return Array(bytes) }
        return Array(bytes[..<dot])
    }

    private static func page(declaredIn start: ArraySlice<UInt8>) -> NamePage? {
        let text = String(decoding: start, as: UTF8.self).lowercased()
        guard let mark = text.firstRange(of: "encoding=") else { return nil }
        let label = text[mark.upperBound...].dropFirst().prefix { $0 != "\"" && $0 != "'" }
        return NamePage.allCases.first { $0.labels.contains(String(label)) }
    }
}

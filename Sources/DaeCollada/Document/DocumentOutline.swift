// Most that a scene or a rule finds fault with is known by its position alone, and its document is long read by then. So
// that no document is read again for a path, its elements are written down while they pass, in some eight bytes each.

package import DaeDiagnostics
import DaeScene
import DaeSchema
import DaeXML

/// The elements of one document in its order: where each begins and ends, its name and its id.
struct DocumentOutline: Sendable {
    // A code for each start and each end, in one word where it has 31 bits, else in two of which the first has its last
    // bit set. Of an end: the bytes since the code before, above a 0. Of a start: those, the number of the name, whether
    // there is an id, and a 1; where there is one, the count of its bytes is the next code, and they follow.
    private let words: Words
    /// Those of no element of COLLADA, numbered from ``ColladaVocabulary/texts``' count on.
    private let names: [String]

    /// As many bits as there may be names in a document, and in COLLADA.
    private static let nameBits: UInt64 = 17

    /// Words one behind the other, all but the last ones in pieces of the same size.
    private struct Words: Sendable {
        private let pieces: [NumberArray<UInt32>]
        private static let pieceSize = 1 << 12

        private init(_ pieces: [NumberArray<UInt32>]) { self.pieces = pieces }

        /// - Parameter index: From 0.
        /// - Returns: `nil` behind the last.
        subscript(index: Int) -> UInt32? {
            let (piece, place) = index.quotientAndRemainder(dividingBy: Self.pieceSize)
            guard piece < pieces.count, place < pieces[piece].count else { return nil }
            return pieces[piece][place]
        }

        struct Writer {
            private var storage: NumberStorage
            private var pieces: [NumberArray<UInt32>] = []
            private var last: [UInt32] = []

            init(_ spool: NumberSpool?) {
                storage = NumberStorage(spool, bound: (spool?.memoryBytes ?? 0) / 8)
                last.reserveCapacity(pieceSize)
            }

            var failure: CodedFailure? { storage.failure }

            @inline(__always)
            mutating func append(_ word: UInt32) {
                last.append(word)
                if last.count == pieceSize { settle() }
            }

            private mutating func settle() {
                pieces.append(storage.keep(last))
                last = []
                last.reserveCapacity(pieceSize)
            }

            consuming func finish() -> Words { Words(pieces + [NumberArray(last)]) }
        }
    }

    /// Writes the outline of a document as its elements come.
    struct Writer {
        private var words: Words.Writer
        private var names: [String] = []
        private var numbers: [String: Int] = [:]
        private var last: Int64 = 0
        private let id = ColladaVocabulary.shared.names.number(of: AttributeName.id.rawValue)

        init(spool: NumberSpool?) { words = Words.Writer(spool) }

        /// Why it is not whole.
        var failure: CodedFailure? { words.failure }

        mutating func start(_ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition) {
            let number = UInt64(truncatingIfNeeded: name.number ?? number(of: name.localName))
            let place = distance(to: position) << DocumentOutline.nameBits | number
            var index = 0
            while index < attributes.count, attributes.number(at: index) != id { index &+= 1 }
            if index < attributes.count {
                let id = attributes.value(at: index)
                append(place << 2 | 3)
                append(UInt64(truncatingIfNeeded: id.count))
                append(text: id)
            } else {
                append(place << 2 | 1)
            }
        }

        mutating func end(at position: XMLPosition) { append(distance(to: position) << 1) }

        consuming func finish() -> DocumentOutline { DocumentOutline(words: words.finish(), names: names) }

        /// Of a name that is not in COLLADA, or of another namespace.
        private mutating func number(of name: String) -> Int {
            let known = ColladaVocabulary.shared
            if let number = known.names.number(of: name) ?? numbers[name] { return number }
            let number = known.texts.count + names.count
            guard number < 1 << DocumentOutline.nameBits else { return 0 }
            names.append(name)
            numbers[name] = number
            return number
        }

        @inline(__always)
        private mutating func distance(to position: XMLPosition) -> UInt64 {
            let (before, here) = (last, max(last, position.byte))
            last = here
            return UInt64(truncatingIfNeeded: here &- before)
        }

        @inline(__always)
        private mutating func append(_ code: UInt64) {
            if code < 1 << 31 {
                words.append(UInt32(truncatingIfNeeded: code))
            } else {
                words.append(UInt32(truncatingIfNeeded: code) | 1 << 31)
                words.append(UInt32(truncatingIfNeeded: code >> 31))
            }
        }

        /// Four bytes a word, the first ones lowest; the last word is filled with 0.
        private mutating func append(text: UnsafeRawBufferPointer) {
            var at = 0
            while at + 4 <= text.count {
                words.append(UInt32(littleEndian: text.loadUnaligned(fromByteOffset: at, as: UInt32.self)))
                at += 4
            }
            guard at < text.count else { return }
            words.append(text[at...].reversed().reduce(0) { $0 << 8 | UInt32($1) })
        }
    }

    struct Element {
        /// Such as `/COLLADA/library_geometries/geometry[@id='g']/mesh`.
        let path: String
        /// Of the element, or of the nearest around it that has one.
        let id: String?
    }

    /// The elements that begin at places, or else the innermost around them; `nil` outside of the root.
    ///
    /// - Parameter places: In bytes of the document, rising.
    func elements(at places: [Int64]) -> [Element?] {
        var search = Search(names: ColladaVocabulary.shared.texts + names, words, places: places)
        var reader = Reader(words)
        var byte: Int64 = 0
        while !search.isDone, let code = reader.code() {
            if code & 1 == 0 {
                byte &+= Int64(truncatingIfNeeded: code >> 1)
                search.end(at: byte)
            } else {
                byte &+= Int64(truncatingIfNeeded: code >> (2 + Self.nameBits))
                let name = Int(truncatingIfNeeded: code >> 2 & (1 << Self.nameBits - 1))
                search.start(name, id: code & 2 == 0 ? nil : reader.text(), at: byte)
            }
        }
        return search.elements + Array(repeating: nil, count: places.count - search.elements.count)
    }

    /// Where a text is.
    private struct Text {
        /// The word it begins with.
        let start: Int
        /// Of its bytes.
        let count: Int

        func bytes(in words: Words) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: (words[start + $0 / 4] ?? 0) >> UInt32(8 * ($0 % 4))) }
        }
    }

    /// Reads code after code.
    private struct Reader {
        private let words: Words
        private var next = 0

        init(_ words: Words) { self.words = words }

        /// `nil` at the end.
        mutating func code() -> UInt64? {
            guard let first = word() else { return nil }
            guard first >= 1 << 31, let second = word() else { return UInt64(first) }
            return UInt64(second) << 31 | UInt64(first & (1 << 31 - 1))
        }

        /// Passes a text, before which is how long it is.
        mutating func text() -> Text {
            let count = Int(truncatingIfNeeded: code() ?? 0)
            defer { next += (count + 3) / 4 }
            return Text(start: next, count: count)
        }

        private mutating func word() -> UInt32? {
            defer { next += 1 }
            return words[next]
        }
    }

    private struct Search {
        private struct Open {
            let name: Int
            let id: Text?
            /// How many of its name stand before it in the same element.
            let before: Int
        }

        private let names: [String]
        private let words: Words
        private let places: [Int64]
        /// As many as of ``places`` were passed.
        private(set) var elements: [Element?] = []
        private var open: [Open] = []
        /// By depth, of the innermost open element there.
        private var children = [ChildCounts()]

        init(names: [String], _ words: Words, places: [Int64]) {
            self.names = names
            self.words = words
            self.places = places
        }

        var isDone: Bool { elements.count == places.count }

        mutating func start(_ name: Int, id: Text?, at byte: Int64) {
            if places[elements.count] < byte { settle { $0 < byte } }
            if isDone { return }
            open.append(Open(name: name, id: id, before: children[open.count].add(name)))
            if children.count == open.count {
                children.append(ChildCounts())
            } else {
                children[open.count].removeAll()
            }
            if places[elements.count] == byte { settle { $0 == byte } }
        }

        mutating func end(at byte: Int64) {
            if places[elements.count] <= byte { settle { $0 <= byte } }
            _ = open.popLast()
        }

        private mutating func settle(where isReached: (Int64) -> Bool) {
            while !isDone, isReached(places[elements.count]) { elements.append(innermost) }
        }

        private var innermost: Element? {
            guard !open.isEmpty else { return nil }
            return Element(
                path: open.reduce(into: "") { $0 += "/" + step($1) }, id: open.last { $0.id != nil }?.id.map(text))
        }

        /// Siblings of one name are told apart by their ids, else by their number.
        private func step(_ element: Open) -> String {
            let name = names[element.name]
            if let id = element.id { return "\(name)[@id='\(text(id))']" }
            return element.before == 0 ? name : "\(name)[\(element.before + 1)]"
        }

        private func text(_ id: Text) -> String { String(decoding: id.bytes(in: words), as: UTF8.self) }
    }

    /// How many children of each name an element has had so far.
    private struct ChildCounts {
        /// Of the first few names, which are mostly all: those are found without a hash.
        private var few: [(name: Int, count: Int)] = []
        private var others: [Int: Int] = [:]
        private static let fewNames = 16

        /// - Returns: How many there were before.
        mutating func add(_ name: Int) -> Int {
            for index in few.indices where few[index].name == name {
                few[index].count += 1
                return few[index].count - 1
            }
            if few.count < Self.fewNames {
                few.append((name, 1))
                return 0
            }
            let before = others[name, default: 0]
            others[name] = before + 1
            return before
        }

        mutating func removeAll() {
            few.removeAll(keepingCapacity: true)
            if !others.isEmpty { others = [:] }
        }
    }
}

extension LinkedDocument {
    /// Gives places that have no path the path of the element there, and its id where they have none; as far as the
    /// documents were read with their outlines (``ColladaOptions/keepsOutline``).
    ///
    /// - Parameter entry: The first document's.
    package func completePlaces(of log: inout FindingLog, entry: String) {
        for (path, outline) in zip([entry] + paths.dropFirst(), outlines) {
            guard let path, let outline else { continue }
            func place(of place: Place) -> Int64? {
                place.path == nil && place.entry == path ? place.byte : nil
            }
            let wanted = Set(log.findings.flatMap { [$0.place] + $0.related }.compactMap(place)).sorted()
            guard !wanted.isEmpty else { continue }
            let found = Dictionary(uniqueKeysWithValues: zip(wanted, outline.elements(at: wanted)))
            log.updatePlaces {
                guard let element = place(of: $0).flatMap({ found[$0] }) ?? nil else { return }
                $0.path = element.path
                $0.elementID = $0.elementID ?? element.id
            }
        }
    }
}

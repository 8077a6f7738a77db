// Most that a scene or a rule finds fault with is known by its position alone, and its document is long read by then. So
// that no document is read again for a path, its elements are written down while they pass, in some eight bytes each.

package import Diagnostics
import XMLReader

/// The elements of one document in its order: where each begins and ends, its name and its id.
struct DocumentOutline: Sendable {
    // A code for each start and each end, in one word where it has 31 bits, else in two of which the first has its last
    // bit set. Of an end: the bytes since the code before, above a 0. Of a start: those, the number of the name, whether
    // there is an id, and a 1; the length of the id is the next code.
    private let words: NumberStore
    /// One behind the other.
    private let ids: NumberStore
    /// Those of no element of COLLADA, numbered from ``ColladaVocabulary/texts``' count on.
    private let names: [String]

    /// As many bits as there may be names in a document, and in COLLADA.
    private static let nameBits: UInt64 = 17

    /// Writes the outline of a document as its elements come.
    struct Writer: ~Copyable {
        private let stored: NumberStore
        private let storedIDs: NumberStore
        private var words: [UInt32] = []
        private var ids: [UInt8] = []
        private var names: [String] = []
        private var numbers: [String: Int] = [:]
        private var last: Int64 = 0
        private let id = ColladaVocabulary.shared.names.number(of: AttributeName.id.rawValue)
        private static let pieceSize = 1 << 12

        init(spool: NumberSpool?) {
            stored = NumberStore(spool: spool, memoryBlocks: 1)
            storedIDs = NumberStore(spool: spool, memoryBlocks: 1)
        }

        mutating func start(_ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition) {
            let number = UInt64(truncatingIfNeeded: name.number ?? number(of: name.localName))
            let place = distance(to: position) << DocumentOutline.nameBits | number
            var index = 0
            while index < attributes.count, attributes.number(at: index) != id { index &+= 1 }
            if index < attributes.count {
                let id = attributes.value(at: index)
                append(place << 2 | 3)
                append(UInt64(truncatingIfNeeded: id.count))
                ids.append(contentsOf: id)
                if ids.count >= Self.pieceSize { settleIDs() }
            } else {
                append(place << 2 | 1)
            }
            if words.count >= Self.pieceSize { settle() }
        }

        mutating func end(at position: XMLPosition) { append(distance(to: position) << 1) }

        consuming func finish() -> DocumentOutline {
            settle()
            settleIDs()
            return DocumentOutline(words: stored, ids: storedIDs, names: names)
        }

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

        private mutating func settle() {
            stored.append(words)
            words.removeAll(keepingCapacity: true)
        }

        private mutating func settleIDs() {
            storedIDs.append(ids)
            ids.removeAll(keepingCapacity: true)
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
        var search = Search(names: ColladaVocabulary.shared.texts + names, ids: ids, places: places)
        var reader = Reader(words)
        var byte: Int64 = 0
        var id = 0
        while !search.isDone, let code = reader.code() {
            if code & 1 == 0 {
                byte &+= Int64(truncatingIfNeeded: code >> 1)
                search.end(at: byte)
            } else {
                byte &+= Int64(truncatingIfNeeded: code >> (2 + Self.nameBits))
                let count = code & 2 == 0 ? 0 : Int(truncatingIfNeeded: reader.code() ?? 0)
                let name = Int(truncatingIfNeeded: code >> 2 & (1 << Self.nameBits - 1))
                search.start(name, id: code & 2 == 0 ? nil : id..<id + count, at: byte)
                id += count
            }
        }
        return search.elements + Array(repeating: nil, count: places.count - search.elements.count)
    }

    /// Reads what was written, piece by piece.
    private struct Reader {
        private let store: NumberStore
        private var piece: [UInt32] = []
        private var at = 0
        /// Words of the store, and those that were read.
        private let count: Int
        private var passed = 0
        private static let pieceSize = 1 << 12

        init(_ store: NumberStore) {
            self.store = store
            count = store.count / MemoryLayout<UInt32>.size
        }

        /// `nil` at the end, and where the store cannot be read.
        mutating func code() -> UInt64? {
            guard let first = word() else { return nil }
            guard first >= 1 << 31, let second = word() else { return UInt64(first) }
            return UInt64(second) << 31 | UInt64(first & (1 << 31 - 1))
        }

        private mutating func word() -> UInt32? {
            if at == piece.count {
                piece.removeAll(keepingCapacity: true)
                at = 0
                let next = min(count - passed, Self.pieceSize)
                guard next > 0, store.read(next, at: passed * MemoryLayout<UInt32>.size, into: &piece) else {
                    return nil
                }
                passed += next
            }
            at += 1
            return piece[at - 1]
        }
    }

    private struct Search {
        private struct Open {
            let name: Int
            /// In ``ids``.
            let id: Range<Int>?
            /// How many of its name stand before it in the same element.
            let before: Int
        }

        private let names: [String]
        private let ids: NumberStore
        private let places: [Int64]
        /// As many as of ``places`` were passed.
        private(set) var elements: [Element?] = []
        private var open: [Open] = []
        /// By depth, of the innermost open element there.
        private var children = [ChildCounts()]

        init(names: [String], ids: NumberStore, places: [Int64]) {
            self.names = names
            self.ids = ids
            self.places = places
        }

        var isDone: Bool { elements.count == places.count }

        mutating func start(_ name: Int, id: Range<Int>?, at byte: Int64) {
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

        private func text(_ id: Range<Int>) -> String {
            var bytes: [UInt8] = []
            _ = ids.read(id.count, at: id.lowerBound, into: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
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

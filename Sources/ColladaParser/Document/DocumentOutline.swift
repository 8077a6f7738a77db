// Most that a scene or a rule finds fault with is known by its position alone, and its document is long read by then. So
// that no document is read again for a path, its elements are written down while they pass, in some five bytes each.

package import Diagnostics
import XMLReader

/// The elements of one document in its order: where each begins and ends, its name and its id.
struct DocumentOutline: Sendable {
    // Numbers, each in as few bytes as it takes, seven bits in each. A start is the number of its name, below which one
    // bit says whether it has an id and the last one is 1; the bytes since what came before; and the id's length and
    // bytes. An end is the bytes since what came before, below which the last bit is 0.
    private let store: NumberStore
    /// Those of no element of COLLADA, numbered from ``ColladaVocabulary/texts``' count on.
    private let names: [String]

    /// Writes the outline of a document as its elements come.
    struct Writer: ~Copyable {
        private let store: NumberStore
        private var bytes: [UInt8] = []
        private var names: [String] = []
        private var numbers: [String: Int] = [:]
        private var last: Int64 = 0
        private static let pieceSize = 1 << 14

        init(spool: NumberSpool?) { store = NumberStore(spool: spool, memoryBlocks: 1) }

        mutating func start(_ name: XMLName, _ attributes: XMLAttributes, at position: XMLPosition) {
            let number = UInt64(name.number ?? number(of: name.localName))
            let id = (0..<attributes.count).first { attributes.number(at: $0) == Self.id }.map(attributes.value)
            append(number << 2 | (id == nil ? 1 : 3))
            append(distance(to: position))
            if let id {
                append(UInt64(id.count))
                bytes.append(contentsOf: id)
            }
            if bytes.count > Self.pieceSize { settle() }
        }

        mutating func end(at position: XMLPosition) { append(distance(to: position) << 1) }

        consuming func finish() -> DocumentOutline {
            settle()
            return DocumentOutline(store: store, names: names)
        }

        private static let id = ColladaVocabulary.shared.names.number(of: AttributeName.id.rawValue)

        /// Of a name that is not in COLLADA, or of another namespace.
        private mutating func number(of name: String) -> Int {
            let known = ColladaVocabulary.shared
            if let number = known.names.number(of: name) ?? numbers[name] { return number }
            let number = known.texts.count + names.count
            names.append(name)
            numbers[name] = number
            return number
        }

        private mutating func distance(to position: XMLPosition) -> UInt64 {
            let before = last
            last = max(last, position.byte)
            return UInt64(clamping: last - before)
        }

        @inline(__always)
        private mutating func append(_ number: UInt64) {
            var rest = number
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(truncatingIfNeeded: rest))
        }

        private mutating func settle() {
            store.append(bytes)
            bytes.removeAll(keepingCapacity: true)
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
        var search = Search(names: ColladaVocabulary.shared.texts + names, places: places)
        var reader = Reader(store)
        var byte: Int64 = 0
        while !search.isDone, let word = reader.number() {
            if word & 1 == 0 {
                byte += Int64(clamping: word >> 1)
                search.end(at: byte)
            } else {
                byte += Int64(clamping: reader.number() ?? 0)
                let id = word & 2 == 0 ? nil : reader.bytes(Int(clamping: reader.number() ?? 0))
                search.start(Int(clamping: word >> 2), id: id, at: byte)
            }
        }
        return search.elements + Array(repeating: nil, count: places.count - search.elements.count)
    }

    /// Reads what was written, piece by piece.
    private struct Reader {
        private let store: NumberStore
        private var piece: [UInt8] = []
        private var at = 0
        /// Bytes of the store that are not in pieces yet.
        private var rest: Int
        private static let pieceSize = 1 << 14

        init(_ store: NumberStore) {
            self.store = store
            rest = store.count
        }

        /// `nil` at the end, and where the store cannot be read.
        private mutating func byte() -> UInt8? {
            if at == piece.count {
                let count = min(rest, Self.pieceSize)
                piece.removeAll(keepingCapacity: true)
                at = 0
                guard count > 0, store.read(count, at: store.count - rest, into: &piece) else { return nil }
                rest -= count
            }
            at += 1
            return piece[at - 1]
        }

        mutating func number() -> UInt64? {
            var number: UInt64 = 0
            var shift = 0
            while let byte = byte() {
                number |= UInt64(byte & 0x7F) << UInt64(shift)
                if byte < 0x80 { return number }
                shift += 7
            }
            return nil
        }

        mutating func bytes(_ count: Int) -> [UInt8] {
            var bytes: [UInt8] = []
            while bytes.count < count, let byte = byte() { bytes.append(byte) }
            return bytes
        }
    }

    private struct Search {
        private struct Open {
            let name: Int
            let id: [UInt8]?
            /// How many of its name stand before it in the same element.
            let before: Int
        }

        private let names: [String]
        private let places: [Int64]
        /// As many as of ``places`` were passed.
        private(set) var elements: [Element?] = []
        private var open: [Open] = []
        /// By depth how many elements of each name the innermost open one there has had so far.
        private var children: [[Int: Int]] = [[:]]

        init(names: [String], places: [Int64]) {
            self.names = names
            self.places = places
        }

        var isDone: Bool { elements.count == places.count }

        mutating func start(_ name: Int, id: [UInt8]?, at byte: Int64) {
            settle { $0 < byte }
            let before = children[open.count][name, default: 0]
            children[open.count][name] = before + 1
            open.append(Open(name: name, id: id, before: before))
            if children.count == open.count {
                children.append([:])
            } else {
                // What is large is not used again: to empty it takes as long as it is large.
                children[open.count].removeAll(keepingCapacity: children[open.count].count < 16)
            }
            settle { $0 == byte }
        }

        mutating func end(at byte: Int64) {
            settle { $0 <= byte }
            _ = open.popLast()
        }

        private mutating func settle(where isReached: (Int64) -> Bool) {
            while !isDone, isReached(places[elements.count]) { elements.append(innermost) }
        }

        private var innermost: Element? {
            guard !open.isEmpty else { return nil }
            return Element(
                path: open.reduce(into: "") { $0 += "/" + step($1) },
                id: open.last { $0.id != nil }?.id.map { String(decoding: $0, as: UTF8.self) })
        }

        /// Siblings of one name are told apart by their ids, else by their number.
        private func step(_ element: Open) -> String {
            let name = names[element.name]
            if let id = element.id { return "\(name)[@id='\(String(decoding: id, as: UTF8.self))']" }
            return element.before == 0 ? name : "\(name)[\(element.before + 1)]"
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

// Start tags come in the same few forms: all but the values of their attributes are the same bytes each time. A tag of a
// form that was met before is known by comparing what stands around its values, where each of its names would be looked up.

import CTextScan
import Threading

/// The forms in which the tags of a vocabulary's elements were met, and which of them follow one another.
struct TagForms: ~Copyable {
    struct Form {
        /// Its first eight bytes, or fewer with what of them counts.
        let first: UInt64
        let firstMask: UInt64
        /// Of the element, in the index of names.
        let element: Int
        /// So many attributes.
        let given: Int
        let isEmpty: Bool  // a fact about the tag
        /// What stands before the first value, between two, and behind the last, one piece behind the other; each has room
        /// for whole groups of 16 bytes.
        let pieces: UnsafeMutablePointer<UInt8>
        let lengths: UnsafeMutablePointer<UInt8>
        /// With the values of the tag that was read last.
        let attributes: UnsafeMutablePointer<XMLAttributes.Entry>
        /// Of their names, in the index.
        let places: UnsafeMutablePointer<Int32>
        /// The one of the same element that was met before; -1 for none.
        let sibling: Int32
        /// The document by which its names were noted last.
        var document = 0
        /// Those that came behind it.
        var guess = NameIndex.Guess()
    }

    /// Bytes of one piece.
    private static let longestPiece = 64
    /// Forms of one element.
    private static let mostAlike = 8
    /// How often a tag may be met whose form was not expected, beyond those that were.
    private static let startPatience = 1024

    private var room: Room
    private let image: NameIndex.Image
    /// Counts the documents that these forms were of.
    private let document: Int
    /// Of the tag before; the first one stands for none.
    private var last = 0
    private var patience = Self.startPatience

    init(_ vocabulary: XMLVocabulary) {
        image = vocabulary.image
        var room = image.takeForms()
        room.begin()
        document = room.documents
        self.room = room
    }

    deinit { image.rest(room) }

    // MARK: - Looking

    /// A tag, by the form it has.
    struct Tag {
        let form: UnsafeMutablePointer<Form>
        let place: Int32
        let end: Int
    }

    /// The tag at `at`, where it has one of the forms that are expected now.
    @inline(__always)
    func expected(_ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int) -> Tag? {
        guard at &+ 8 <= count else { return nil }
        let guess = room.forms[last].guess
        let first = ByteWord.load(bytes + at)
        if let tag = tag(guess.last, first, bytes, at, count) { return tag }
        return tag(guess.before, first, bytes, at, count)
    }

    @inline(__always)
    private func tag(
        _ place: Int32, _ first: UInt64, _ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int
    ) -> Tag? {
        guard place >= 0 else { return nil }
        let form = room.forms + Int(place)
        guard first & form.pointee.firstMask == form.pointee.first else { return nil }
        let end = Self.end(of: form, bytes, at, count)
        return end < 0 ? nil : Tag(form: form, place: place, end: end)
    }

    /// Where the tag ends that begins at `at`, whose values are then the form's; -1 where it has another form, or not
    /// enough bytes are there to tell.
    @inline(__always)
    private static func end(
        of form: UnsafeMutablePointer<Form>, _ bytes: UnsafePointer<UInt8>, _ at: Int, _ count: Int
    ) -> Int {
        let given = form.pointee.given
        let lengths = form.pointee.lengths
        var piece = form.pointee.pieces
        var end = at
        var index = 0
        while true {
            let length = Int(lengths[index])
            let room = whole(length)
            guard end &+ room <= count, dae_are_same(bytes + end, piece, length) != 0 else { return -1 }
            end &+= length
            guard index < given else { return end }
            let value = dae_value_length(bytes + end, count &- end, piece[length &- 1])
            form.pointee.attributes[index].value = UnsafeRawBufferPointer(start: bytes + end, count: value)
            end &+= value
            piece += room
            index &+= 1
        }
    }

    /// In groups of 16 bytes.
    @inline(__always)
    private static func whole(_ length: Int) -> Int { (length &+ 15) & ~15 }

    /// Notes that a tag was read, of a form whose names this document has.
    @inline(__always)
    mutating func pass(_ tag: Tag) {
        let guess = room.forms[last].guess
        // The one that came last comes first.
        if guess.last != tag.place { room.forms[last].guess = NameIndex.Guess(last: tag.place, before: guess.last) }
        last = Int(tag.place)
        patience &+= 1
    }

    /// Of the tag before.
    var current: Int { last }

    /// Goes on behind a tag of a form that was read some time before.
    mutating func resume(behind form: Int) { last = form }

    /// Whether the names of a form were noted for this document.
    @inline(__always)
    func isNoted(_ form: UnsafeMutablePointer<Form>) -> Bool { form.pointee.document == document }

    func note(_ form: UnsafeMutablePointer<Form>) { form.pointee.document = document }

    // MARK: - Learning

    /// A tag that was read name by name: each of its names is in the index, none has a prefix, and one blank stands before
    /// each attribute.
    struct Read {
        let element: Int
        let attributes: UnsafeBufferPointer<XMLAttributes.Entry>
        /// Where these names are in the index.
        let places: UnsafePointer<(local: Int, prefix: Int)>
        let isEmpty: Bool  // a fact about the tag
        let text: UnsafeBufferPointer<UInt8>

        /// What stands before the value at `index`, or behind the last one.
        func piece(_ index: Int) -> UnsafeRawBufferPointer {
            let whole = UnsafeRawBufferPointer(text)
            var from = whole.startIndex
            var end = whole.endIndex
            guard let start = whole.baseAddress else { return whole }
            if index > 0, let before = attributes[index - 1].value.baseAddress {
                from = before + attributes[index - 1].value.count - start
            }
            if index < attributes.count, let value = attributes[index].value.baseAddress { end = value - start }
            return UnsafeRawBufferPointer(rebasing: whole[from..<end])
        }
    }

    /// Remembers the form of a tag that was not expected, and that it came behind the one before.
    ///
    /// - Parameter readable: Bytes that may be read from the tag's beginning on.
    @inline(never)
    mutating func learn(_ tag: Read, readable: Int, _ names: NameIndex.View) {
        guard patience > 0 else { return }
        patience &-= 1
        guard tag.element < image.entries.count else { return }
        let known = find(tag, readable)
        let place = known >= 0 ? known : add(tag, names)
        guard place >= 0 else { return }
        room.forms[last].guess.note(place)
        last = place
    }

    private func find(_ tag: Read, _ readable: Int) -> Int {
        guard let start = tag.text.baseAddress else { return -1 }
        var place = Int(room.firsts[tag.element])
        while place >= 0 {
            if Self.end(of: room.forms + place, start, 0, readable) == tag.text.count { return place }
            place = Int(room.forms[place].sibling)
        }
        return -1
    }

    /// - Returns: -1 where there is no room for it, or it is none that a vocabulary's tags have.
    private mutating func add(_ tag: Read, _ names: NameIndex.View) -> Int {
        let given = tag.attributes.count
        guard room.hasPlace(forPieces: given + 1), isNew(tag.element) else { return -1 }
        var size = 0
        for index in 0...given {
            if index < given, tag.places[index].local >= image.entries.count { return -1 }
            let length = tag.piece(index).count
            guard length <= Self.longestPiece else { return -1 }
            size += Self.whole(length)
        }
        guard room.byteCount + size <= Room.mostBytes else { return -1 }
        let start = tag.piece(0)
        guard start.count >= 2, let bytes = start.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return -1 }
        let first = ByteWord.load(bytes, count: min(8, start.count), readable: start.count)
        let form = Form(
            first: first, firstMask: ByteWord.mask(start.count), element: tag.element, given: given,
            isEmpty: tag.isEmpty, pieces: room.bytes + room.byteCount,
            lengths: room.lengths + room.pieceCount, attributes: room.attributes + room.pieceCount,
            places: room.places + room.pieceCount, sibling: room.firsts[tag.element], document: document)
        var piece = form.pieces
        for index in 0...given {
            let text = tag.piece(index)
            UnsafeMutableRawBufferPointer(start: piece, count: text.count).copyMemory(from: text)
            (form.lengths + index).initialize(to: UInt8(truncatingIfNeeded: text.count))
            if index < given {
                let place = tag.places[index].local
                let length = names.entries[place].count
                // Behind it stand `=` and a quote.
                let name = XMLName(
                    known: names.entries[place].number, local: piece + (text.count - 2 - length), length, qualifier: nil
                )
                (form.places + index).initialize(to: Int32(truncatingIfNeeded: place))
                (form.attributes + index).initialize(to: .init(name: name, value: tag.attributes[index].value))
            }
            piece += Self.whole(text.count)
        }
        return room.append(form, bytes: size)
    }

    private func isNew(_ element: Int) -> Bool {
        var count = 0
        var place = Int(room.firsts[element])
        while place >= 0, count < Self.mostAlike {
            count += 1
            place = Int(room.forms[place].sibling)
        }
        return count < Self.mostAlike
    }
}

extension TagForms {
    /// The memory of the forms, which rests between documents with what they are: most are alike.
    // Unchecked because one document or image has it at a time: allowed
    struct Room: @unchecked Sendable {
        static let mostForms = 256
        static let mostPieces = 1024
        static let mostBytes = 24 * 1024

        let forms: UnsafeMutablePointer<Form>
        private(set) var count = 0
        /// The form of each element that was met last, or -1.
        let firsts: UnsafeMutablePointer<Int32>
        private let elements: Int
        /// Of all forms, one behind the other.
        let bytes: UnsafeMutablePointer<UInt8>
        private(set) var byteCount = 0
        let lengths: UnsafeMutablePointer<UInt8>
        let places: UnsafeMutablePointer<Int32>
        let attributes: UnsafeMutablePointer<XMLAttributes.Entry>
        private(set) var pieceCount = 0
        /// Those that it was used for.
        private(set) var documents = 0

        init(elements: Int) {
            self.elements = elements
            forms = .allocate(capacity: Self.mostForms)
            firsts = .allocate(capacity: elements)
            bytes = .allocate(capacity: Self.mostBytes)
            lengths = .allocate(capacity: Self.mostPieces)
            places = .allocate(capacity: Self.mostPieces)
            attributes = .allocate(capacity: Self.mostPieces)
            removeAll()
        }

        func free() {
            forms.deallocate()
            firsts.deallocate()
            bytes.deallocate()
            lengths.deallocate()
            places.deallocate()
            attributes.deallocate()
        }

        func hasPlace(forPieces more: Int) -> Bool {
            count < Self.mostForms && pieceCount + more <= Self.mostPieces
        }

        /// - Parameter size: Of its pieces, which were written behind those of the others.
        mutating func append(_ form: Form, bytes size: Int) -> Int {
            (forms + count).initialize(to: form)
            firsts[form.element] = Int32(truncatingIfNeeded: count)
            pieceCount += form.given + 1
            byteCount += size
            count += 1
            return count - 1
        }

        /// To be called for each document; forgets all forms where those of others left little room.
        mutating func begin() {
            documents &+= 1
            let isNearlyFull =
                4 * count > 3 * Self.mostForms || 4 * byteCount > 3 * Self.mostBytes
                || 4 * pieceCount > 3 * Self.mostPieces
            if isNearlyFull { removeAll() }
        }

        private mutating func removeAll() {
            firsts.initialize(repeating: -1, count: elements)
            pieceCount = 0
            byteCount = 0
            // The first stands for no form, and is never guessed.
            forms.initialize(
                to: Form(
                    first: 0, firstMask: 0, element: 0, given: 0, isEmpty: false, pieces: bytes, lengths: lengths,
                    attributes: attributes,
                    places: places, sibling: -1, document: 0))
            count = 1
        }
    }
}

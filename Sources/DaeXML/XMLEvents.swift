/// Whether reading goes on after an event.
package enum XMLFlow {
    case proceed
    /// It goes on, and text that comes before the next tag need not be reported.
    case passText
    /// It goes on, and text that is nothing but the indentation of the next tag need not be reported.
    case passIndents
    case stop
}

/// Receives the events of one document, in its order. Everything handed over is valid during the call only.
package protocol XMLEventHandler: AnyObject {
    /// Whether lines of the text that comes now may end as they are written: with a return and a newline, or a return.
    var takesAnyLineEnd: Bool { get }
    /// `position` is that of the tag's `<`.
    func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow
    /// A piece of the text of the innermost open element, as UTF-8, cut anywhere between characters.
    func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow
    /// `position` is that of the end tag's `<` (of an empty element: of its only tag).
    func endElement(at position: XMLPosition) -> XMLFlow
}

extension XMLEventHandler {
    package var takesAnyLineEnd: Bool { false }
}

// This and ``XMLName`` are public for the same reason as ``XMLPosition``.

/// The attributes of one element as an event brings them; valid during the event only.
package struct XMLAttributes {
    @usableFromInline struct Entry: BitwiseCopyable {
        /// Its number only when it has no prefix.
        @usableFromInline var name: XMLName
        @usableFromInline var value: UnsafeRawBufferPointer

        init(name: XMLName, value: UnsafeRawBufferPointer) {
            self.name = name
            self.value = value
        }

        /// Of no attribute.
        static var none: Entry {
            Entry(name: XMLName(known: -1, local: nil, 0, qualifier: nil), value: XMLName.noText)
        }
    }
    @usableFromInline let entries: UnsafePointer<Entry>?
    @usableFromInline package let count: Int
    /// Markup in which all values lie, from the first one to the end of the last; `nil` where they lie apart.
    package let written: UnsafeRawBufferPointer?

    init(_ entries: UnsafeBufferPointer<Entry>, written: UnsafeRawBufferPointer? = nil) {
        self.entries = entries.baseAddress
        count = entries.count
        self.written = written
    }

    /// The name of the attribute at `index`; `nil` where there is none. Its number only when it has no prefix.
    @inlinable @inline(__always)
    package func name(at index: Int) -> XMLName? {
        guard let entries, index >= 0, index < count else { return nil }
        return entries[index].name
    }

    /// The number in the vocabulary of the name at `index`; `nil` of one that is not in it or has a prefix.
    @inlinable @inline(__always)
    package func number(at index: Int) -> Int? {
        guard let entries, index >= 0, index < count else { return nil }
        return entries[index].name.number
    }

    /// The value of the attribute at `index` as UTF-8, entities resolved, white space normalised; empty where none is.
    @inlinable @inline(__always)
    package func value(at index: Int) -> UnsafeRawBufferPointer {
        guard let entries, index >= 0, index < count else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return entries[index].value
    }
}

/// The names a document type knows, numbered, so that a reader compares numbers instead of texts.
package struct XMLVocabulary: Sendable {
    private let numbers: [String: Int]
    let markupNames: MarkupNames

    /// Numbers names by their place in the list; of equal names the first counts.
    package init(_ names: [String]) {
        numbers = Dictionary(zip(names, 0...), uniquingKeysWith: { first, _ in first })
        markupNames = MarkupNames(numbers)
    }

    /// The number of a name; `nil` of one that it does not know.
    package func number(of name: String) -> Int? { numbers[name] }
}

/// The name of an element or attribute as an event brings it; valid during the event only.
// Each attribute has one, so what most names lack lies elsewhere.
package struct XMLName: BitwiseCopyable {
    /// What stands before a name, and what that means; without an address where there is none.
    struct Qualifier: BitwiseCopyable {
        var prefix = XMLName.noText
        var uri = XMLName.noText
    }
    static var noText: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    /// Its number, or -1.
    @usableFromInline let known: Int32
    private let count: Int32
    private let start: UnsafePointer<UInt8>?
    /// `nil` where there is neither a prefix nor a namespace.
    private let qualifier: UnsafePointer<Qualifier>?

    /// - Parameter local: At most 2^31 - 1 bytes.
    @inline(__always)
    init(
        known: Int, local start: UnsafePointer<UInt8>?, _ count: Int, qualifier: UnsafePointer<Qualifier>?
    ) {
        self.known = Int32(truncatingIfNeeded: known)
        self.count = Int32(truncatingIfNeeded: count)
        self.start = start
        self.qualifier = qualifier
    }

    /// Its number in the vocabulary; `nil` for names not in it or in another namespace than the root's.
    @inlinable @inline(__always)
    package var number: Int? { known < 0 ? nil : Int(known) }
    /// With its prefix, as written.
    package var text: String {
        guard let prefix = qualifier?.pointee.prefix, prefix.baseAddress != nil else { return localName }
        return String(decoding: prefix, as: UTF8.self) + ":" + localName
    }
    /// Without its prefix.
    package var localName: String {
        String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }
    package var namespace: String? {
        guard let uri = qualifier?.pointee.uri, uri.baseAddress != nil else { return nil }
        return String(decoding: uri, as: UTF8.self)
    }
}

/// The state of an ``XMLEventHandler``, at an address of its own.
///
/// A property of a class is watched for overlapping accesses at each event, and there are three events an element: that
/// was 3 % of the time of reading many small nodes, and 4 % with their check against the schema. Events come one after
/// the other, none within another.
package struct HandlerState<State: ~Copyable>: ~Copyable {
    @usableFromInline let address: UnsafeMutablePointer<State>

    @inlinable package init(_ state: consuming State) {
        address = .allocate(capacity: 1)
        address.initialize(to: state)
    }

    deinit {
        address.deinitialize(count: 1)
        address.deallocate()
    }

    @inlinable package var value: State {
        _read { yield address.pointee }
        nonmutating _modify { yield &address.pointee }
    }
}

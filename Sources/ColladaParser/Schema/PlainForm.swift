/// What nearly every text of a simple type looks like, so that most need no more than a look at each byte.
enum PlainForm: BitwiseCopyable, Sendable {
    /// Every text is right.
    case any
    case ncName
    /// A whole number from 0.
    case unsigned
    case real
    /// An address, or an id after `#`.
    case reference
    /// One of so many in a list of words.
    case words(first: Int32, count: Int32)
    case other

    /// - Parameter words: Those of a type that lists some are put behind it.
    init(_ id: SimpleType.ID, _ models: ContentModels, _ words: inout [PlainBytes.Word]) {
        switch models[id].form {
        case .builtIn(let type):
            switch type {
            case .string, .token: self = .any
            case .name, .nmtoken, .ncName, .id, .idref: self = .ncName
            case .anyURI: self = .reference
            case .unsignedLong, .unsignedInt, .integer, .long, .nonNegativeInteger: self = .unsigned
            case .double, .float: self = .real
            case .dateTime, .boolean, .hexBinary, .int, .short, .byte, .positiveInteger, .unsignedByte: self = .other
            }
        case .values(_, let values):
            let first = Int32(words.count)
            for var value in values {
                // The longer ones are found by who looks closer.
                if let word = value.withUTF8({ PlainBytes.word(UnsafeRawBufferPointer($0)) }) { words.append(word) }
            }
            self = .words(first: first, count: Int32(words.count) - first)
        case .text(_, let form):
            switch form {
            case .uriFragment: self = .reference
            case .sidref, .email: self = .other
            }
        case .list, .range, .union: self = .other
        }
    }

    /// Whether a text is surely of the type; `false` says nothing.
    ///
    /// - Parameter words: The list that it was made with.
    @inline(__always)
    func isSurely(_ text: UnsafeRawBufferPointer, _ words: FixedList<PlainBytes.Word>) -> Bool {
        switch self {
        case .any: return true
        case .ncName:
            guard let base = text.baseAddress else { return false }
            return PlainBytes.areName(base, text.count)
        case .unsigned: return Self.isUnsigned(text)
        case .real: return Self.isUnsigned(text) || NumberForm.isReal(text.assumingMemoryBound(to: UInt8.self).span)
        case .reference:
            guard let base = text.baseAddress, text.count > 1, text[0] == UInt8(ascii: "#") else { return false }
            return PlainBytes.areName(base + 1, text.count - 1)
        case .words(let first, let count): return Self.isAny(of: first, count, words, text)
        case .other: return false
        }
    }

    @inline(__always)
    private static func isUnsigned(_ text: UnsafeRawBufferPointer) -> Bool {
        guard (1...9).contains(text.count) else { return false }
        for byte in text where byte &- UInt8(ascii: "0") > 9 { return false }
        return true
    }

    @inline(__always)
    private static func isAny(
        of first: Int32, _ count: Int32, _ words: FixedList<PlainBytes.Word>, _ text: UnsafeRawBufferPointer
    ) -> Bool {
        guard let word = PlainBytes.word(text) else { return false }
        for index in first..<first + count where words[index] == word { return true }
        return false
    }
}

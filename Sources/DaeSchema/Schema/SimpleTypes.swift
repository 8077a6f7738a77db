/// What a text of an attribute or an element may be.
package struct SimpleType: Sendable {
    package enum Form: Sendable {
        case builtIn(BuiltInType)
        /// Items parted by white space; `most` is `nil` for any number.
        case list(item: ID, least: Int, most: Int?)
        /// One of these, after the white space rule of the base.
        case values(base: ID, [String])
        case range(base: ID, SimpleTypeRange)
        case text(base: ID, TextForm)
        case union([ID])
    }
    /// Index into `ContentModels.simpleTypes`.
    package struct ID: Sendable, Hashable, BitwiseCopyable {
        package let index: Int
    }
    /// As the grammar writes it: `double[3]`, `morph_method`.
    package let name: String
    package let form: Form
}

/// The least and the greatest number of a type that narrows another; written `0..1`, `0..<8`, `0..`.
package struct SimpleTypeRange: Sendable, Equatable {
    package enum Upper: Sendable, Equatable {
        case none
        case through(Double)
        case below(Double)
    }
    package let lower: Double
    package let upper: Upper

    init?(_ text: String) {
        let bytes = Array(text.utf8)
        let dot = UInt8(ascii: ".")
        guard let middle = bytes.indices.dropLast().first(where: { bytes[$0] == dot && bytes[$0 + 1] == dot }) else {
            return nil
        }
        let after = String(decoding: bytes[(middle + 2)...], as: UTF8.self)
        guard let lower = Double(String(decoding: bytes[..<middle], as: UTF8.self)) else { return nil }
        self.lower = lower
        if after.isEmpty {
            upper = .none
        } else if after.hasPrefix("<"), let bound = Double(after.dropFirst()) {
            upper = .below(bound)
        } else if let bound = Double(after) {
            upper = .through(bound)
        } else {
            return nil
        }
    }

    func contains(_ value: Double) -> Bool {
        switch upper {
        case .none: value >= lower
        case .through(let bound): value >= lower && value <= bound
        case .below(let bound): value >= lower && value < bound
        }
    }
}

/// Why a text is not of its type.
package struct SimpleTypeFault: Error, Equatable {
    package enum Kind: Sendable, Equatable {
        /// None of the words that are allowed.
        case value
        /// No number, or none of the type's size and sign.
        case number
        /// A number beyond the type's limits.
        case range
        /// A list of another length than the type's.
        case length(found: Int)
        /// No XML name.
        case name
        case date
        case address
        /// Any other form: true or false, hexadecimal digits, an address of a mail box, a path of sids.
        case text
    }
    package let kind: Kind
    /// What was found, at most 60 characters of it; of a list, the item at fault.
    package let value: String
    /// In words: `a number`, `3 numbers`, `one of A, B`.
    package let expected: String
    /// The type's name: `double[3]`.
    package let type: String
}

// Holding a text against its simple type. Nothing is copied but what a fault shows.

extension ContentModels {
    /// What is wrong with a whole text of a type; `nil` if nothing is.
    ///
    /// - Complexity: linear in the text; for a union, times the number of its members.
    package func fault(in text: Span<UInt8>, of id: SimpleType.ID) -> SimpleTypeFault? {
        let type = self[id]
        switch type.form {
        case .builtIn(let builtIn):
            let text = builtIn.keepsSpace ? text : text.extracting(text.inner)
            return builtIn.fault(in: text).map { fault($0, text, type) }
        case .list(let item, let least, let most):
            var check = ListCheck(item: item, least: least, most: most, self)
            return check.add(text, self) ?? check.finish(type, self)
        case .values(let base, let values):
            let text = keepsSpace(base) ? text : text.extracting(text.inner)
            return values.contains { text.equals($0) } ? nil : fault(.value, text, type)
        case .range(let base, let range):
            if let fault = fault(in: text, of: base) { return fault }
            let text = text.extracting(text.inner)
            return NumberForm.value(text).map(range.contains) == true ? nil : fault(.range, text, type)
        case .text(let base, let form):
            let text = keepsSpace(base) ? text : text.extracting(text.inner)
            return form.holds(text) ? nil : fault(.text, text, type)
        case .union(let members):
            return members.contains { fault(in: text, of: $0) == nil }
                ? nil : fault(.value, text.extracting(text.inner), type)
        }
    }

    /// What is wrong with the whole text directly within an element; `nil` if nothing is.
    ///
    /// - Parameter isLenient: Whether white space may stand in an element that has no content. Around elements it always
    ///   may.
    package func fault(
        inTextOf declaration: ElementDeclaration, _ text: Span<UInt8>, lenient isLenient: Bool
    ) -> SimpleTypeFault? {
        let type = self[declaration.type]
        switch type.content {
        case .anything: return nil
        case .simple(let simple):
            // Empty is right where the declaration says what that means.
            if text.count == 0, declaration.defaultValue != nil { return nil }
            return fault(in: text, of: simple)
        case .empty: return isLenient && text.inner.isEmpty ? nil : faultOfAnyText(text, type)
        case .children: return text.inner.isEmpty ? nil : faultOfAnyText(text, type)
        }
    }

    private func faultOfAnyText(_ text: Span<UInt8>, _ type: ElementType) -> SimpleTypeFault? {
        guard text.count > 0 else { return nil }
        let shown = String(text.extracting(0..<min(text.count, 60)))
        return SimpleTypeFault(kind: .text, value: shown, expected: "no text", type: type.name)
    }

    /// Whether white space around a text of this type counts.
    private func keepsSpace(_ id: SimpleType.ID) -> Bool {
        switch self[id].form {
        case .builtIn(let type): type.keepsSpace
        case .values(let base, _), .range(let base, _), .text(let base, _): keepsSpace(base)
        case .list, .union: false
        }
    }

    func fault(_ kind: SimpleTypeFault.Kind, _ text: Span<UInt8>, _ type: SimpleType) -> SimpleTypeFault {
        let shown = String(text.extracting(0..<min(text.count, 60)))
        return SimpleTypeFault(kind: kind, value: shown, expected: expectation(of: type), type: type.name)
    }

    /// What a text of this type is, in words: `3 numbers`, `one of A, B`.
    package func expectation(of type: SimpleType) -> String {
        switch type.form {
        case .builtIn(let builtIn): builtIn.words.one
        case .list(let item, let least, let most):
            if let most, most == least { "\(most) \(several(item))" } else { several(item) }
        case .values(_, let values): "one of \(values.joined(separator: ", "))"
        case .range(_, let range):
            switch range.upper {
            case .none: "a number from \(range.lower.brief)"
            case .through(let most): "a number from \(range.lower.brief) to \(most.brief)"
            case .below(let most): "a number from \(range.lower.brief) to below \(most.brief)"
            }
        case .text(_, let form): form.words
        case .union(let members): "one of \(members.flatMap { values(of: $0) }.uniqued.joined(separator: ", "))"
        }
    }

    private func several(_ item: SimpleType.ID) -> String {
        switch self[item].form {
        case .builtIn(let builtIn): builtIn.words.many
        case .list, .values, .range, .text, .union: "items, each \(expectation(of: self[item]))"
        }
    }

    /// The words that are allowed; where any other text is, what it must be in words.
    func values(of id: SimpleType.ID) -> [String] {
        switch self[id].form {
        case .values(_, let values): values
        case .union(let members): members.flatMap { values(of: $0) }
        case .builtIn, .list, .range, .text: [expectation(of: self[id])]
        }
    }
}

extension UInt8 {
    /// White space of XML.
    var isSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D }
}

extension Span<UInt8> {
    /// Where it stands without white space at its ends.
    fileprivate var inner: Range<Int> {
        var low = 0
        var high = count
        while low < high, self[low].isSpace { low += 1 }
        while low < high, self[high - 1].isSpace { high -= 1 }
        return low..<high
    }

    fileprivate func equals(_ text: String) -> Bool {
        let bytes = text.utf8
        guard bytes.count == count else { return false }
        var at = 0
        for byte in bytes {
            guard self[at] == byte else { return false }
            at += 1
        }
        return true
    }
}

extension Double {
    /// Without a decimal point where it needs none.
    fileprivate var brief: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}

extension [String] {
    /// Each once, where it stands first.
    fileprivate var uniqued: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}

/// The simple types of XML Schema that COLLADA's are made from, by their names there.
package enum BuiltInType: String, Sendable, CaseIterable {
    case string, token
    case name = "Name"
    case nmtoken = "NMTOKEN"
    case ncName = "NCName"
    case id = "ID"
    case idref = "IDREF"
    case anyURI, dateTime, boolean, hexBinary
    case double, float
    case integer, long, int, short, byte
    case nonNegativeInteger, positiveInteger, unsignedLong, unsignedInt, unsignedByte

    /// Whether white space around a text counts.
    var keepsSpace: Bool {
        switch self {
        case .string: true
        case .token, .name, .nmtoken, .ncName, .id, .idref, .anyURI, .dateTime, .boolean, .hexBinary, .double, .float,
            .integer, .long, .int, .short, .byte, .nonNegativeInteger, .positiveInteger, .unsignedLong, .unsignedInt,
            .unsignedByte:
            false
        }
    }

    /// What is wrong with `text`, white space around it already left out where it does not count; `nil` if nothing is.
    func fault(in text: Span<UInt8>) -> SimpleTypeFault.Kind? {
        switch self {
        case .string, .token: nil
        case .name: XMLNameForm.isName(text) ? nil : .name
        case .nmtoken: XMLNameForm.isNMTOKEN(text) ? nil : .name
        case .ncName, .id, .idref: XMLNameForm.isNCName(text) ? nil : .name
        case .anyURI: URIForm.isReference(text) ? nil : .address
        case .dateTime: DateForm.isDateTime(text) ? nil : .date
        case .boolean: NumberForm.isBoolean(text) ? nil : .text
        case .hexBinary: NumberForm.isHexadecimal(text) ? nil : .text
        case .double, .float: NumberForm.isReal(text) ? nil : .number
        case .integer: NumberForm.isInteger(text, negative: .any, positive: .any) ? nil : .number
        case .long:
            NumberForm.isInteger(text, negative: .to("9223372036854775808"), positive: .to("9223372036854775807"))
                ? nil : .number
        case .int: NumberForm.isInteger(text, negative: .to("2147483648"), positive: .to("2147483647")) ? nil : .number
        case .short: NumberForm.isInteger(text, negative: .to("32768"), positive: .to("32767")) ? nil : .number
        case .byte: NumberForm.isInteger(text, negative: .to("128"), positive: .to("127")) ? nil : .number
        case .nonNegativeInteger: NumberForm.isInteger(text, negative: .to("0"), positive: .any) ? nil : .number
        case .positiveInteger:
            NumberForm.isInteger(text, negative: .none, positive: .any) && !NumberForm.isZero(text) ? nil : .number
        case .unsignedLong: NumberForm.isUnsigned(text, to: "18446744073709551615") ? nil : .number
        case .unsignedInt: NumberForm.isUnsigned(text, to: "4294967295") ? nil : .number
        case .unsignedByte: NumberForm.isUnsigned(text, to: "255") ? nil : .number
        }
    }

    /// One such value, and several, in words.
    var words: (one: String, many: String) {
        switch self {
        case .string, .token: ("a text", "texts")
        case .name, .ncName, .id, .idref: ("an XML name", "XML names")
        case .nmtoken: ("a word of letters, digits, '.', '-', '_' and ':'", "words")
        case .anyURI: ("an address", "addresses")
        case .dateTime: ("a date and time as 2000-12-31T23:59:59Z", "dates")
        case .boolean: ("true or false", "of true or false")
        case .hexBinary: ("pairs of hexadecimal digits", "runs of hexadecimal digits")
        case .double, .float: ("a number", "numbers")
        case .integer: ("a whole number", "whole numbers")
        case .long: ("a whole number of 64 bits", "whole numbers")
        case .int: ("a whole number of 32 bits", "whole numbers")
        case .short: ("a whole number of 16 bits", "whole numbers")
        case .byte: ("a whole number of 8 bits", "whole numbers")
        case .nonNegativeInteger: ("a whole number from 0", "whole numbers from 0")
        case .positiveInteger: ("a whole number from 1", "whole numbers from 1")
        case .unsignedLong: ("a whole number from 0, of 64 bits", "whole numbers from 0")
        case .unsignedInt: ("a whole number from 0, of 32 bits", "whole numbers from 0")
        case .unsignedByte: ("a whole number from 0 to 255", "whole numbers from 0 to 255")
        }
    }
}

/// A list that arrives in pieces, cut anywhere; of a piece no more is kept than its unfinished last item.
package struct ListCheck: Sendable {
    private let item: SimpleType.ID
    /// The item's type where it is none of the schema's own.
    private let builtIn: BuiltInType?
    private let least: Int
    private let most: Int?
    /// The item that goes on in the next piece; its beginning where it is long.
    private var started: [UInt8] = []
    /// Items so far.
    private(set) package var count = 0

    /// An item longer than this is not of any type that lists are made of, but text.
    private static let longestItem = 1 << 16

    init(item: SimpleType.ID, least: Int, most: Int?, _ models: ContentModels) {
        self.item = item
        if case .builtIn(let type) = models[item].form { builtIn = type } else { builtIn = nil }
        self.least = least
        self.most = most
    }

    /// `nil` for a type that is no list.
    ///
    /// - Parameters:
    ///   - count: Items that came before, with which nothing is wrong.
    ///   - started: The last one behind them, if that goes on in the next piece.
    package init?(_ id: SimpleType.ID, _ models: ContentModels, after count: Int = 0, started: [UInt8] = []) {
        guard case .list(let item, let least, let most) = models[id].form else { return nil }
        self.init(item: item, least: least, most: most, models)
        self.count = count
        self.started = started
    }

    /// What is wrong with the first item at fault of this piece; the rest of the piece is then only counted.
    package mutating func add(_ text: Span<UInt8>, _ models: ContentModels) -> SimpleTypeFault? {
        var first: SimpleTypeFault?
        // Asked of the fault itself, it would cost as much as an item.
        var isSound = true
        var at = 0
        while at < text.count {
            while at < text.count, text[at].isSpace {
                if !started.isEmpty {
                    first = close(models, unless: first)
                    isSound = first == nil
                }
                at += 1
            }
            let start = at
            while at < text.count, !text[at].isSpace { at += 1 }
            guard start < at else { break }
            if at == text.count || !started.isEmpty {
                for index in start..<at where started.count < Self.longestItem { started.append(text[index]) }
            } else {
                count += 1
                let item = text.extracting(start..<at)
                if isSound, !isSurelySound(item) {
                    first = fault(in: item, models)
                    isSound = first == nil
                }
            }
        }
        return first
    }

    /// Whether nothing is wrong with an item, as far as can be seen without making a fault of it.
    private func isSurelySound(_ item: Span<UInt8>) -> Bool {
        guard let builtIn else { return false }
        return builtIn.fault(in: item) == nil
    }

    /// What is wrong with the last item, or with the number of them.
    package mutating func finish(_ type: SimpleType, _ models: ContentModels) -> SimpleTypeFault? {
        if !started.isEmpty, let fault = close(models, unless: nil) { return fault }
        guard count < least || count > most ?? .max else { return nil }
        return SimpleTypeFault(
            kind: .length(found: count), value: "\(count)", expected: models.expectation(of: type), type: type.name)
    }

    private mutating func close(_ models: ContentModels, unless first: SimpleTypeFault?) -> SimpleTypeFault? {
        count += 1
        let fault = first ?? fault(in: started.span, models)
        started.removeAll(keepingCapacity: true)
        return fault
    }

    private func fault(in text: Span<UInt8>, _ models: ContentModels) -> SimpleTypeFault? {
        guard let builtIn else { return models.fault(in: text, of: item) }
        return builtIn.fault(in: text).map { models.fault($0, text, models[item]) }
    }
}

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

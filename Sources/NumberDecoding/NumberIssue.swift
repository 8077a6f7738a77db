/// What was odd about one token: the value it gave is in its place among the others all the same.
package struct NumberIssue: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// No number at all; read as NaN, as 0 among integers.
        case malformed
        /// A spelling of NaN or infinity, of XML Schema, of C or of Microsoft's runtime; read as that, as 0 among integers.
        case nonFinite
        /// A comma that can only be the decimal point; read as one.
        case decimalComma
        /// Commas that can only be separators; the token gave one value for each part.
        case commaSeparator
        /// Too large for the type; read as infinity, as the nearest limit among integers.
        case outOfRange
    }

    /// The most Unicode scalars of a token that are kept.
    package static let textLimit = 40

    package let kind: Kind
    /// First byte of the token, from 0 at the beginning of the whole text.
    package let offset: Int
    /// Place of the token's (first) value among all values of the text, from 0.
    package let index: Int
    /// The token, cut to ``textLimit`` Unicode scalars; broken UTF-8 is repaired.
    package let text: String

    init(_ kind: Kind, offset: Int, index: Int, token: UnsafeRawBufferPointer) {
        self.kind = kind
        self.offset = offset
        self.index = index
        // A scalar takes at most four bytes.
        let start = String(decoding: token.prefix(4 * Self.textLimit), as: UTF8.self)
        text = String(String.UnicodeScalarView(start.unicodeScalars.prefix(Self.textLimit)))
    }
}

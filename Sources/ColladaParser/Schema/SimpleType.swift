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

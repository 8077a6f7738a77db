// Lower case alone is not enough: the upper case of `ß` is `SS`, and two small letters (`σ`, `ς`) may have one great.

extension String {
    /// A form that texts share which differ in upper and lower case alone, by Unicode's full case folding.
    ///
    /// A Turkish `İ` and `ı` are not folded: they are other letters than `i` and `I`.
    var caseFolded: String {
        if isSmallASCII { return self }
        if isASCII { return lowercased() }
        var folded = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if !scalar.properties.changesWhenCaseFolded || scalar == "\u{130}" {
                folded.append(scalar)
            } else {
                // Down first, since the great sharp s has no upper case of its own.
                folded.append(contentsOf: scalar.properties.lowercaseMapping.uppercased().lowercased().unicodeScalars)
            }
        }
        return String(folded)
    }

    private var isSmallASCII: Bool {
        let bytes = utf8.span
        for index in bytes.indices where bytes[index] >= 0x80 || bytes[index] &- UInt8(ascii: "A") < 26 { return false }
        return true
    }

    /// Where the last of some characters of ASCII stands.
    ///
    /// - Parameter bytes: The characters'. Of other text they are looked for by character: a letter's mark belongs to it.
    func lastIndex(ofAny bytes: [UInt8]) -> Index? {
        if isASCII { return utf8.lastIndex { bytes.contains($0) } }
        return lastIndex { $0.asciiValue.map(bytes.contains) ?? false }
    }
}

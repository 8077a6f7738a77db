// Lower case alone is not enough: the upper case of `ß` is `SS`, and two small letters (`σ`, `ς`) may have one great.

extension String {
    /// A form that texts share which differ in upper and lower case alone, by Unicode's full case folding.
    ///
    /// A Turkish `İ` and `ı` are not folded: they are other letters than `i` and `I`.
    var caseFolded: String {
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
}

extension String {
    /// Whether it is another text letter for letter.
    func hasLetters(of other: String) -> Bool {
        let (own, other) = (utf8.span, other.utf8.span)
        guard other.count == own.count else { return false }
        // From the end: the ids of one mesh begin alike.
        for index in own.indices.reversed() where own[index] != other[index] { return false }
        return true
    }

    /// Whether a text is this id behind a `#`, letter for letter.
    func isAddressed(by text: String) -> Bool {
        let (own, other) = (utf8.span, text.utf8.span)
        guard other.count == own.count + 1, other[0] == UInt8(ascii: "#") else { return false }
        // From the end: the ids of one mesh begin alike.
        for index in own.indices.reversed() where own[index] != other[index + 1] { return false }
        return true
    }
}

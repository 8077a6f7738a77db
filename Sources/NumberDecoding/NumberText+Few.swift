extension NumberText {
    /// White space that ``readFew(_:into:)`` needs behind a text, in bytes.
    public static var padding: Int { PaddedText.room }

    /// Reads a short list, such as a matrix, where nothing about it is odd.
    ///
    /// - Parameters:
    ///   - text: With ``padding`` bytes of white space at its end.
    ///   - room: Receives the numbers in place of its own; its memory is used again.
    /// - Returns: Whether all are plain finite numbers; else a ``NumberDecoder`` has to read them.
    public static func readFew(_ text: UnsafeRawBufferPointer, into room: inout [Double]) -> Bool {
        room.removeAll(keepingCapacity: true)
        guard let padded = PaddedText(longestIn: text), padded.count > text.count - padding else { return false }
        return Double.scan(padded, from: 0, into: &room) == padded.count
    }
}

// What the first bytes of a source tell of the way it can be read, before it is there as a whole.

extension Bundle {
    /// Whether a file that begins like this can be opened without all of its bytes: a zip archive, whose directory says
    /// where each entry lies.
    public static func canBeReadInParts(start: [UInt8]) -> Bool {
        start.starts(with: [0x50, 0x4b, 3, 4]) || start.starts(with: [0x50, 0x4b, 5, 6])
    }

    /// Whether a file that begins like this is read from front to back and nothing else: a lone document.
    ///
    /// - Parameter start: ``probedBytes`` of them, or all there are.
    public static func isReadInOrder(start: [UInt8]) -> Bool {
        switch Content(start: start) {
        case .document: true
        case .empty, .archive, .foreign, .unknown: false
        }
    }

    /// How many bytes tell what a source is.
    public static var probedBytes: Int { Content.probedBytes }
}

extension Bundle {
    /// Whether a file that begins like this can be opened without all of its bytes: a zip archive, whose directory says
    /// where each entry lies.
    public static func canBeReadInParts(start: [UInt8]) -> Bool {
        start.starts(with: [0x50, 0x4b, 3, 4]) || start.starts(with: [0x50, 0x4b, 5, 6])
    }
}

extension Unicode.Scalar {
    /// C0 and C1, which terminals heed, and the marks that turn around or break what is read: `exe.png` can be `gnp.exe`.
    package var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false  // integers
        }
    }
}

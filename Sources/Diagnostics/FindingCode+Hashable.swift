// The library hashes an enum of raw values by these, which are texts; every finding is counted by its code.

extension FindingCode {
    public func hash(into hasher: inout Hasher) { withUnsafeBytes(of: self) { hasher.combine(bytes: $0) } }
}

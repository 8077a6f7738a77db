/// Numbers as ZIP writes them; `nil` where the bytes end.
extension [UInt8] {
    func number16(at index: Int) -> UInt16? { number(at: index) }
    func number32(at index: Int) -> UInt32? { number(at: index) }
    func number64(at index: Int) -> UInt64? { number(at: index) }

    private func number<T: FixedWidthInteger & UnsignedInteger>(at index: Int) -> T? {
        let width = T.bitWidth / 8
        guard index >= 0, index <= count - width else { return nil }
        var value: T = 0
        for place in 0..<width { value |= T(truncatingIfNeeded: self[index + place]) << T(8 * place) }
        return value
    }

    /// Appends `number`, its lowest byte first.
    mutating func append<T: FixedWidthInteger>(littleEndian number: T) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}

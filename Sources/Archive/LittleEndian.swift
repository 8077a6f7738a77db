/// Numbers as ZIP writes them; `nil` where the bytes end.
extension [UInt8] {
    func number16(at index: Int) -> UInt16? { number(at: index) }
    func number32(at index: Int) -> UInt32? { number(at: index) }
    func number64(at index: Int) -> UInt64? { number(at: index) }

    private func number<T: FixedWidthInteger & UnsignedInteger>(at index: Int) -> T? {
        let width = T.bitWidth / 8
        guard index >= 0, index <= count - width else { return nil }
        return self[index..<index + width].reversed().reduce(T(0)) { $0 << 8 | T($1) }
    }
}

import Testing

@testable import DaeValidation

@Suite struct AddressBytesTests {
    private static let odd = Set((UInt8.min...0x20).map { $0 } + [0x7F, UInt8(ascii: "\\"), UInt8(ascii: "%")])

    @Test func aByteThatAddressesMayNotHoldIsFoundWhereverItStands() {
        for length in 1..<26 {
            for place in 0..<length {
                for byte in UInt8.min...UInt8.max {
                    var bytes = [UInt8](repeating: UInt8(ascii: "q"), count: length)
                    bytes[place] = byte
                    let isInvalid = Self.odd.contains(byte)
                    let local = bytes.withUnsafeBytes { AddressBytes.mayBeInvalid($0, isLocal: true) }
                    let other = bytes.withUnsafeBytes { AddressBytes.mayBeInvalid($0, isLocal: false) }
                    if local != isInvalid || other != (isInvalid || byte == UInt8(ascii: ":")) {
                        Issue.record("\(byte) at \(place) of \(length)")
                    }
                }
            }
        }
    }

    @Test func nothingIsOddAboutNoBytes() {
        #expect(!AddressBytes.mayBeInvalid(UnsafeRawBufferPointer(start: nil, count: 0), isLocal: false))
    }
}

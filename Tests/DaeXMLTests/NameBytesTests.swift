import Testing

@testable import DaeXML

@Suite struct NameBytesTests {
    @Test(arguments: [8, 9, 15, 16, 17, 31, 32, 33, 47])
    func eachByteCountsWhereverItStands(length: Int) {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._".utf8)
        for place in 0..<length {
            for byte in UInt8.min...UInt8.max {
                var bytes = [UInt8](repeating: UInt8(ascii: "q"), count: length)
                bytes[place] = byte
                let found = NameBytes.areAll(bytes.span)
                if found != plain.contains(byte) { Issue.record("\(byte) at \(place) of \(length)") }
            }
        }
    }
}

import TestSupport
import Testing

@testable import DaeService

/// A form taken apart without a service.
@Suite struct MultipartReaderTests {
    private static let body = Array(
        ("\r\n--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--b \t\r\n"
            + "content-disposition:form-data; name=\"f\"; filename=\"x\"\r\nX: y\r\n\r\n\r\n--\r\n-\r\r\n--B\r\n--b\r\n"
            + "Content-Disposition: bare\r\n\r\n--b--").utf8)

    /// What a reader says of pieces: each part's disposition and bytes.
    private func parts(_ pieces: [ArraySlice<UInt8>]) throws -> (parts: [String], isComplete: Bool) {
        var reader = try #require(MultipartReader(contentType: "multipart/form-data; boundary=b"))
        var parts: [String] = []
        for piece in pieces {
            try reader.read(Array(piece)) { event in
                switch event {
                case .part(let disposition): parts.append(String(decoding: disposition, as: UTF8.self) + "|")
                case .bytes(let bytes): parts[parts.count - 1] += String(decoding: bytes, as: UTF8.self)
                }
            }
        }
        return (parts, reader.isComplete)
    }

    private static let expected = [
        " form-data; name=\"a\"|one", "form-data; name=\"f\"; filename=\"x\"|\r\n--\r\n-\r\r\n--B", " bare|",
    ]

    @Test func anyCutOfTheBytesGivesTheSameParts() throws {
        let body = Self.body
        for cut in 0...body.count {
            let (parts, isComplete) = try parts([body[..<cut], body[cut...]])
            #expect(parts == Self.expected, "cut at \(cut)")
            #expect(isComplete)
        }
        #expect(try parts(body.indices.map { body[$0...$0] }).parts == Self.expected)
    }

    @Test func whatEndsEarlyIsNotComplete() throws {
        for count in 0..<Self.body.count {
            #expect(try !parts([Self.body[..<count]]).isComplete)
        }
    }

    @Test func noBytesMakeItStumble() throws {
        var numbers = SeededNumbers(seed: 7)
        for _ in 0..<2000 {
            var body = Self.body
            for _ in 0..<3 {
                let at = Int(numbers.next() % UInt64(body.count))
                switch numbers.next() % 3 {
                case 0: body[at] = UInt8(truncatingIfNeeded: numbers.next())
                case 1: body.remove(at: at)
                default: body.insert(contentsOf: Array("\r\n--b".utf8), at: at)  // integers
                }
            }
            do { _ = try parts([body[...]]) } catch is MultipartReader.Fault {}
        }
    }

    @Test(arguments: [
        ("multipart/form-data; boundary=abc", true), ("Multipart/Form-Data;charset=utf-8; Boundary=\"a b\"", true),
        ("multipart/form-data; boundary=", false), ("multipart/form-data; boundary=\"a \"", false),
        ("multipart/form-data; boundary=a;b", true), ("multipart/form-data; boundary=a\"b", false),
        ("multipart/mixed; boundary=abc", false), ("multipart/form-data", false), ("", false),
    ])
    func aBoundaryIsOneThatSendersMayChoose(_ type: String, _ isTaken: Bool) {
        #expect((MultipartReader(contentType: type) != nil) == isTaken)
    }
}

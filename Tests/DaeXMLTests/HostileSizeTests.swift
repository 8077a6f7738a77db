import DaeDiagnostics
import DaeXML
import TestSupport
import Testing

/// Documents far larger than their budget, made as they are read.
@Suite struct HostileSizeTests {
    private static let isFull = Repository.environment("DAE_TEST_FULL") != nil

    private final class Counter: XMLEventHandler {
        private(set) var starts = 0
        private(set) var textBytes = 0

        func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow {
            starts += 1
            return .proceed
        }
        func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow {
            textBytes += bytes.count
            return .proceed
        }
        func endElement(at position: XMLPosition) -> XMLFlow { .proceed }
    }

    /// Reads `head`, then `piece` so many times, then `tail`; stops at the first failure.
    private func read(
        _ head: String, _ piece: [UInt8], times: Int, _ tail: String, by handler: Counter
    ) -> (failure: CodedFailure?, bytesRead: Int64) {
        let reader = XMLReader(vocabulary: Reading.vocabulary, handler: handler)
        var failure: CodedFailure?
        do throws(CodedFailure) {
            try read(Array(head.utf8), by: reader)
            for _ in 0..<times { try read(piece, by: reader) }
            try read(Array(tail.utf8), by: reader)
            try reader.finish()
        } catch { failure = error }
        return (failure, reader.bytesRead)
    }

    private func read(_ bytes: [UInt8], by reader: XMLReader) throws(CodedFailure) {
        var failure: CodedFailure?
        bytes.withUnsafeBytes { chunk in
            do throws(CodedFailure) { try reader.read(chunk) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    @Test func aMillionAttributesAreRefused() {
        let counter = Counter()
        let piece = Array((0..<1000).map { "x\($0)='' " }.joined().utf8)
        let outcome = read("<a><b ", piece, times: 1000, "/></a>", by: counter)
        #expect(outcome.failure?.code == .xmlSizeExceeded)
        #expect(outcome.failure?.place == Place(line: 1, column: 4, byte: 3))
        #expect(outcome.bytesRead < 1 << 21)
        #expect(counter.starts == 1)
    }

    @Test func anElementWithANameOfAGigabyteIsRefused() {
        let counter = Counter()
        let piece = [UInt8](repeating: UInt8(ascii: "n"), count: 1 << 16)
        let outcome = read("<a><", piece, times: 1 << 14, "/></a>", by: counter)
        #expect(outcome.failure?.code == .xmlSizeExceeded)
        #expect(outcome.bytesRead < 1 << 21)
        #expect(counter.starts == 1)
    }

    @Test func tenMillionNestedElementsAreRefused() {
        let counter = Counter()
        let outcome = read("<a>", Array(String(repeating: "<b>", count: 1000).utf8), times: 10_000, "", by: counter)
        #expect(outcome.failure?.code == .xmlDepthExceeded)
        #expect(outcome.bytesRead < 1 << 21)
        #expect(counter.starts == 4096)
    }

    @Test func aLongRunOfWhiteSpaceIsReadInPieces() {
        let size = Self.isFull ? 2 << 30 : 64 << 20
        var piece = [UInt8](repeating: 0x20, count: 1 << 20)
        for at in stride(from: 0, to: piece.count, by: 1000) { piece[at] = 0x0A }
        let counter = Counter()
        let outcome = read("<a>", piece, times: size >> 20, "</a>", by: counter)
        #expect(outcome.failure == nil)
        #expect(counter.textBytes == size)
    }
}

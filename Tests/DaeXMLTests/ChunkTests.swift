import DaeDiagnostics
import DaeXML
import TestSupport
import Testing

@Suite struct ChunkTests {
    @Test(arguments: [1, 2, 3, 7, 64, 4096])
    func theChunksDoNotChangeWhatIsRead(size: Int) {
        for document in Samples.documents {
            let bytes = Array(document.utf8)
            let whole = Reading.outcome(bytes)
            #expect(whole.failure == nil)
            let cut = Reading.outcome(bytes, chunk: size)
            #expect(cut == whole, "\(document.prefix(60))")
        }
    }

    @Test(arguments: [1, 2, 3, 7, 64])
    func theChunksDoNotChangeHowReadingFails(size: Int) {
        for document in Samples.broken {
            let bytes = Array(document.utf8)
            let whole = Reading.outcome(bytes)
            #expect(whole.failure != nil, "\(document.debugDescription)")
            let cut = Reading.outcome(bytes, chunk: size)
            #expect(cut == whole, "\(document.debugDescription)")
        }
    }

    @Test func onlyOneBorderAnywhereDoesNotChangeWhatIsRead() {
        for document in Samples.documents + Samples.broken where document.utf8.count < 400 {
            let bytes = Array(document.utf8)
            let whole = Reading.outcome(bytes)
            for border in 0...bytes.count {
                let cut = Reading.outcome(bytes, cuts: [border])
                #expect(cut == whole, "\(document.debugDescription) cut at \(border)")
            }
        }
    }

    @Test func randomBordersDoNotChangeWhatIsRead() {
        var random = SeededNumbers(seed: 7)
        for document in Samples.documents {
            let bytes = Array(document.utf8)
            let whole = Reading.outcome(bytes)
            for _ in 0..<8 {
                let cuts = (0..<Int.random(in: 1...20, using: &random)).map { _ in
                    Int.random(in: 0...bytes.count, using: &random)
                }
                #expect(Reading.outcome(bytes, cuts: cuts.sorted()) == whole, "\(document.prefix(60))")
            }
        }
    }

    @Test func anEncodingOfWideUnitsMayBeCutAnywhere() {
        let document = "<a id='ü'>é\n漢𝄞<b/>ż</a>"
        for bytes in [document.utf16LittleEndian, document.utf16BigEndian] {
            let whole = Reading.outcome([0xFF, 0xFE] == Array(bytes.prefix(2)) ? Array(bytes.dropFirst(2)) : bytes)
            #expect(whole.failure == nil)
            for border in 0...bytes.count { #expect(Reading.outcome(bytes, cuts: [border]) == whole) }
            #expect(Reading.outcome(bytes, chunk: 1) == whole)
        }
    }

    @Test func aHandlerThatStopsGetsNothingMore() {
        let document = Array("<a>x<b/>y<c/></a>".utf8)
        for size in [1, 5, document.count] {
            for limit in 1...8 {
                let recorder = Recorder()
                recorder.stopAfter = limit
                let outcome = Reading.outcome(
                    document, cuts: Array(stride(from: size, to: document.count, by: size)), recorder: recorder)
                #expect(recorder.calls == limit)
                #expect(outcome.failure == nil)
            }
        }
    }

    @Test func aHandlerThatStopsHearsNothingOfFaultsBehind() {
        let deep = "<a>" + String(repeating: "<b>", count: 300)
        for document in ["<a><b></c>", "<a>&no;", deep, "<a><"] {
            for size in [1, 1000] {
                let recorder = Recorder()
                recorder.stopAfter = 1
                let bytes = Array(document.utf8)
                let outcome = Reading.outcome(
                    bytes, cuts: Array(stride(from: size, to: bytes.count, by: size)), recorder: recorder)
                #expect(recorder.calls == 1)
                #expect(outcome.failure == nil, "\(document.prefix(20)) in chunks of \(size)")
            }
        }
    }

    @Test func aReaderThatFailedReadsNothingMore() throws {
        let recorder = Recorder()
        let reader = XMLReader(vocabulary: Reading.vocabulary, handler: recorder)
        var outcomes: [Bool] = []
        for chunk in ["<a></b>", "<c/>", "<c/>", "</a>"] {
            do {
                try Array(chunk.utf8).withUnsafeBytes { try reader.read($0) }
                outcomes.append(true)
            } catch { outcomes.append(false) }
        }
        #expect(outcomes.suffix(2) == [false, false])
        #expect(throws: CodedFailure.self) { try reader.finish() }
        #expect(recorder.calls == 1)
    }
}

extension String {
    var utf16LittleEndian: [UInt8] {
        utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }
    var utf16BigEndian: [UInt8] {
        utf16.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }
}

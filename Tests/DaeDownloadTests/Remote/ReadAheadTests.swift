import Testing

@testable import DaeDownload

/// What is asked for, read by read.
@Suite struct ReadAheadTests {
    private static let block = ReadAhead.block

    /// One read: where, how much there is room for, what was announced before, and the request it leads to.
    struct Step: Sendable {
        let position, wanted: Int64
        var announced: Range<Int64>?
        /// `nil` where the bytes are there already.
        let request: Range<Int64>?
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let size: Int64
        let steps: [Step]
    }

    static let rows: [Row] = [
        Row(
            testDescription: "a single byte takes its block", size: 1 << 20,
            steps: [
                Step(position: 40_000, wanted: 1, request: 32_768..<65_536),
                Step(position: 32_768, wanted: 10, request: nil), Step(position: 1, wanted: 1, request: 0..<32_768),
            ]),
        Row(
            testDescription: "the end of an archive, and the byte before it", size: 200_218_958,
            steps: [
                Step(position: 200_153_381, wanted: 65_577, request: 200_146_944..<200_218_958),
                Step(position: 200_153_380, wanted: 65_578, request: nil),
            ]),
        Row(
            testDescription: "reading on asks for four times as much, up to the most", size: 1 << 30,
            steps: [
                Step(position: 0, wanted: 1, request: 0..<block),
                Step(position: block, wanted: 1, request: block..<5 * block),
                Step(position: 5 * block, wanted: 1, request: 5 * block..<21 * block),
                Step(position: 21 * block, wanted: 1, request: 21 * block..<85 * block),
                Step(position: 85 * block, wanted: 1, request: 85 * block..<213 * block),
                Step(position: 213 * block, wanted: 1, request: 213 * block..<341 * block),
                // Elsewhere it begins anew.
                Step(position: 1000 * block, wanted: 1, request: 1000 * block..<1001 * block),
            ]),
        Row(
            testDescription: "nothing around what was announced", size: 1 << 20,
            steps: [
                Step(position: 100_000, wanted: 512, announced: 100_000..<100_600, request: 100_000..<100_600),
                Step(position: 200_000, wanted: 512, announced: 200_000..<900_000, request: 200_000..<262_144),
                Step(position: 262_144, wanted: 512, request: 262_144..<393_216),
                // More than was announced is asked for only where there is room for it.
                Step(position: 500_000, wanted: 5000, announced: 500_000..<500_010, request: 500_000..<505_000),
            ]),
        Row(
            testDescription: "what is there is not asked for again", size: 1 << 20,
            steps: [
                Step(position: 50_000, wanted: 100, announced: 50_000..<50_100, request: 50_000..<50_100),
                Step(position: 40_000, wanted: 30_000, announced: 0..<1, request: 32_768..<50_000),
                Step(position: 50_100, wanted: 1, request: 50_100..<65_536),
                Step(position: 40_000, wanted: 25_536, request: nil),
            ]),
        Row(
            testDescription: "a small file, and the most at once", size: 100,
            steps: [Step(position: 99, wanted: 1 << 40, request: 0..<100)]),
        Row(
            testDescription: "no request is larger than the most", size: 1 << 40,
            steps: [Step(position: 0, wanted: 1 << 39, request: 0..<ReadAhead.most)]),
    ]

    @Test(arguments: rows) func requestsAreFewAndNotTooLarge(row: Row) {
        var (ahead, present) = (ReadAhead(), ByteRanges())
        for step in row.steps {
            if let announced = step.announced { ahead.announce(announced) }
            guard present.end(of: step.position) == nil else {
                #expect(step.request == nil, "at \(step.position)")
                continue
            }
            let request = ahead.request(at: step.position, wanted: step.wanted, present: present, size: row.size)
            #expect(request == step.request, "at \(step.position)")
            #expect(request.contains(step.position))
            present.insert(request)
        }
    }
}

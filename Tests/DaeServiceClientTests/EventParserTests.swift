import Testing

@testable import DaeServiceClient

@Suite struct EventParserTests {
    private let text = """
        : hello\n\nid: 1\nevent: state\ndata: {"a":\ndata:1}\n\nid:2\ndata\n\nevent: lost\n\nretry: 5\ndata: x\r\n\r\nid: 3\rdata:  y\r\r
        """

    private func events(_ pieces: [[UInt8]]) throws -> [ServerSentEvent] {
        var parser = EventParser()
        var events: [ServerSentEvent] = []
        for piece in pieces { try parser.feed(piece) { events.append($0) } }
        return events
    }

    @Test func eventsAreReadAsTheSpecificationHasIt() throws {
        #expect(
            try events([Array(text.utf8)]) == [
                .init(id: "1", name: "state", data: "{\"a\":\n1}"), .init(id: "2", name: "message", data: ""),
                .init(id: "2", name: "message", data: "x"), .init(id: "3", name: "message", data: " y"),
            ])
    }

    @Test(arguments: [1, 2, 3, 7]) func itMattersNotHowTheBytesArrive(_ count: Int) throws {
        let bytes = Array(text.utf8)
        let pieces = stride(from: 0, to: bytes.count, by: count).map { Array(bytes[$0..<min($0 + count, bytes.count)]) }
        #expect(try events(pieces) == events([bytes]))
    }

    @Test func aLineWithoutAnEndIsRefused() {
        let piece = [UInt8](repeating: 0x61, count: 1 << 20)
        #expect(throws: EventParser.TooLong.self) { try events(Array(repeating: piece, count: 5)) }
    }
}

import DaeDiagnostics
import DaeDownload
import DaePipeline
import TestSupport
import Testing

@testable import DaeServiceClient

/// A service whose connections break, or that asks to be left alone.
@Suite(.timeLimit(.minutes(10))) struct BrokenServiceTests {
    private let folder: TemporaryFolder
    private let id: AssetID

    init() throws {
        folder = try TemporaryFolder()
        id = try #require(AssetID("a1"))
    }

    private func client(_ server: FaultServer) throws -> AssetServiceClient {
        var client = try AssetServiceClient(server.url("/"))
        client.retries.firstPause = 0.01
        return client
    }

    private static let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    @Test func aModelThatBreaksOffIsGoneOnWith() async throws {
        let path = "/v1/assets/a1/model.glb"
        let server = try FaultServer([path: FaultResource(Self.bytes)])
        server.play([.cut(after: 100_000), .cut(after: 50_000, by: .reset)], at: path)
        let target = folder.path + "/a.glb"
        try await client(server).model(id, to: target)
        #expect(try Repository.bytes(at: target) == Self.bytes)
        #expect(server.requests.count == 3)
        #expect(server.bytesOnTheWire < Self.bytes.count + 10_000)
        #expect(try Repository.files(below: folder.path) == ["a.glb"])
    }

    @Test func otherBytesMeanwhileAreFetchedFromTheBeginning() async throws {
        let path = "/v1/assets/a1/model.glb"
        let other = FaultResource(Self.bytes.reversed(), tag: .strong("two"))
        let server = try FaultServer([path: FaultResource(Self.bytes)])
        server.play([.cut(after: 100_000), .replaced(by: other)], at: path)
        let target = folder.path + "/a.glb"
        try await client(server).model(id, to: target)
        #expect(try Repository.bytes(at: target) == other.bytes)
    }

    @Test func whatNeverComesWholeLeavesNothing() async throws {
        let path = "/v1/assets/a1/model.glb"
        let server = try FaultServer([path: FaultResource(Self.bytes)])
        server.play([.cut(after: 100_000)], then: .drop(), at: path)
        try folder.write(Array("before".utf8), to: "a.glb")
        await #expect(throws: AssetServiceError.self) { try await client(server).model(id, to: folder.path + "/a.glb") }
        #expect(try Repository.bytes(at: folder.path + "/a.glb") == Array("before".utf8))
        #expect(try Repository.files(below: folder.path) == ["a.glb"])
    }

    @Test func whereNothingCanBeWrittenIsSaid() async throws {
        let server = try FaultServer()
        let error = await #expect(throws: AssetServiceError.self) {
            try await client(server).model(id, to: folder.path + "/none/a.glb")
        }
        guard case .cannotWrite = error else { throw Surprise(text: "\(String(describing: error))") }
        #expect(server.requests.isEmpty)
    }

    @Test func aServiceThatAsksForTimeGetsIt() async throws {
        let path = "/v1/assets"
        let server = try FaultServer([path: FaultResource(Array(#"{"assets":[],"next":null}"#.utf8))])
        server.play([.status(429, ["Retry-After: 1"])], at: path)
        #expect(try await client(server).assets().assets.isEmpty)
        #expect(server.requests.count == 2)

        server.play([], then: .status(429, ["Retry-After: 3600"]), at: path)
        let error = await #expect(throws: AssetServiceError.self) { _ = try await client(server).assets() }
        guard case .refused(let problem) = error else { throw Surprise(text: "\(String(describing: error))") }
        #expect(problem.status == 429)
        #expect(problem.retryAfter == 3600)
        #expect(server.requests.count == 3)
    }

    @Test func aRefusalIsForgottenByTheNextRequest() async throws {
        let path = "/v1/assets/a1/model.glb"
        let server = try FaultServer([path: FaultResource(Self.bytes)])
        server.play([.status(503, ["Retry-After: 1"])], then: .drop(), at: path)
        let error = await #expect(throws: AssetServiceError.self) {
            try await client(server).model(id, to: folder.path + "/a.glb")
        }
        guard case .unreachable = error else { throw Surprise(text: "\(String(describing: error))") }
    }

    @Test func anAnswerThatIsTooLongIsSaidToBeSo() async throws {
        let server = try FaultServer(["/a": FaultResource(Self.bytes)])
        let http = try client(server).http
        let exchange = HTTPExchange(server.url("/a"))
        let whole = try await AnswerInMemory.fetch(exchange, by: http, limit: Self.bytes.count)
        #expect(whole.body == Self.bytes)
        let error = await #expect(throws: AssetServiceError.self) {
            _ = try await AnswerInMemory.fetch(exchange, by: http, limit: Self.bytes.count - 1)
        }
        guard case .notUnderstood(let reason) = error else { throw Surprise(text: "\(String(describing: error))") }
        #expect(reason == "more than 299999 bytes")
    }

    @Test func eventsGoOnBehindTheLastOneSeen() async throws {
        let path = "/v1/assets/a1/events"
        func event(_ number: Int, _ state: String) -> String { "id: \(number)\nevent: state\ndata: \(state)\n\n" }
        let start = event(7, StateLine.started)
        let server = try FaultServer([path: FaultResource(Array((start + start).utf8), tag: nil)])
        let end = FaultResource(Array(event(8, StateLine.failed).utf8), tag: nil)
        server.play([.cut(after: start.utf8.count + 5), .drop(), .replaced(by: end)], at: path)
        var states: [AssetState] = []
        for try await state in try client(server).states(of: id) { states.append(state) }
        #expect(states.count == 2)
        #expect(states.first == .downloading(.first))
        #expect(states.last?.failure?.code == .ioError)
        #expect(server.requests.map { $0["last-event-id"] } == [nil, "7", "7"])
    }

    @Test func aStreamThatIsNoneEndsTheWatch() async throws {
        let path = "/v1/assets/a1/events"
        let server = try FaultServer([path: FaultResource(Array("event: state\ndata: {}\n\n".utf8))])
        await #expect(throws: AssetServiceError.self) { for try await _ in try client(server).states(of: id) {} }
        let missing = try FaultServer()
        await #expect(throws: AssetServiceError.self) { for try await _ in try client(missing).states(of: id) {} }
        #expect(missing.requests.count == 1)
    }

    @Test(arguments: [
        "", "x", "[]", "{}", #"{"id":"a1","name":"a"}"#, #"{"id":"a1","name":"a","state":{"version":2}}"#,
    ])
    func whatIsNoAssetIsNotUnderstood(_ text: String) async throws {
        let server = try FaultServer(["/v1/assets/a1": FaultResource(Array(text.utf8))])
        let error = await #expect(throws: AssetServiceError.self) { _ = try await client(server).asset(id) }
        guard case .notUnderstood = error else { throw Surprise(text: "\(String(describing: error))") }
    }
}

struct Surprise: Error {
    let text: String
}

/// States as the service writes them.
enum StateLine {
    static let started =
        #"{"version":1,"state":"downloading","attempt":1,"received":0,"expected":null}"#
    static let failed =
        #"{"version":1,"state":"failed","stage":"parse","attempt":1,"code":"IO_ERROR","message":"No.","place":null,"#
        + #""resume":null}"#
}

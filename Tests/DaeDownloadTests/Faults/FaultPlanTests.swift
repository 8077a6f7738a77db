import DaeDownload
import TestSupport
import Testing

@Suite struct FaultPlanTests {
    private static let seeds = 0..<UInt64(Repository.environment("DAE_TEST_FULL") == nil ? 50 : 500)

    /// Asked as often as it has faults, each plan comes to an end at its last bytes.
    @Test(arguments: seeds) func aPlanEndsInItsBytes(_ seed: UInt64) throws {
        let plan = FaultPlan(seed: seed)
        #expect(FaultPlan(seed: seed).description == plan.description)
        let server = try plan.server()
        for fault in plan.script {
            if case .stall = fault {
                let client = try LoopbackClient(port: server.port)
                client.send("GET \(FaultCase.path) HTTP/1.1\r\n\r\n")
                #expect(client.read(1).count == 1)
            } else {
                #expect(try ask(server, FaultCase.path).end != .silent)
            }
        }
        expectSame(try ask(server, FaultCase.moved).body, plan.bytes(after: .max), "\(plan)")
    }

    @Test(
        .enabled(if: FaultClient.skills.contains(.resuming), "the client does not resume yet"),
        .timeLimit(.minutes(10)),
        arguments: seeds)
    func aGoodClientSurvives(_ seed: UInt64) async throws {
        let plan = FaultPlan(seed: seed)
        let server = try plan.server()
        let client = try FaultClient(attempts: 8)
        let run = try await client.run(server.url(FaultCase.path))
        switch run.file {
        case .success(let bytes):
            // A whole answer may come before the script is at its end.
            expectSame(bytes, plan.bytes(after: server.requests.count), "\(plan)")
        case .failure(let error): Issue.record("\(plan): \(error.message); \(server.requests.count) requests")
        }
        try client.expectWholeBlobs()
    }
}

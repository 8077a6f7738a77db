import DaeDiagnostics
import DaeDownload
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct FaultTableTests {
    static let rows = FaultCase.table.filter { FaultClient.skills.contains($0.skill) }
    static let tooEarly = FaultCase.table.filter { !FaultClient.skills.contains($0.skill) }

    @Test(arguments: rows) func aFaultyServerGivesTheRightBytesOrTheRightError(_ row: FaultCase) async throws {
        let server = try row.server()
        let client = try FaultClient()
        let run = try await client.run(server.url(FaultCase.path, scheme: row.scheme))
        switch (row.expectation, run.file) {
        case (.sameBytes, .success(let bytes)):
            expectSame(bytes, row.finalBytes)
        case (.finding(let code, _), .success(let bytes)):
            expectSame(bytes, row.finalBytes)
            #expect(run.findings.contains(code))
        case (.failure(let code, _), .failure(let error)):
            #expect(error.code == code, "\(error.message)")
        case (.sameBytes, .failure(let error)), (.finding, .failure(let error)):
            Issue.record("no file: \(error.message)")
        case (.failure(let code, _), .success):
            Issue.record("a file, where \(code.rawValue) was expected")
        }
        let requests = server.requests
        #expect(row.expectation.requests.contains(requests.count), "\(requests.map(\.target))")
        #expect(requests.reduce(0) { $0 + $1.bodyBytesSent } <= row.bodyBytes)
        try client.expectWholeBlobs()
    }

    @Test(.enabled(if: tooEarly.isEmpty, "rows that the client is not asked yet: \(tooEarly.count)"))
    func everyRowIsAsked() {
        #expect(Self.rows.count == FaultCase.table.count)
    }

    @Test func noTwoRowsHaveTheSameName() {
        #expect(Set(FaultCase.table.map(\.name)).count == FaultCase.table.count)
    }
}

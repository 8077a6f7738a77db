import TestSupport
import Testing

/// What was measured last fits the schema that readers of it have.
@Suite struct BenchmarkFileTests {
    @Test func theResultFitsItsSchema() throws {
        let schema = try JSONSchema(JSONNode(parsing: Repository.fixture("schema/benchmark.schema.json")))
        let path = Repository.root + "/scripts/benchmarks/benchmark.json"
        let result = try JSONNode(parsing: Repository.bytes(at: path))
        #expect(schema.violations(in: result) == [])
        guard case .object(let members) = result else {
            Issue.record("no object")
            return
        }
        for key in members.keys {
            #expect(!schema.violations(in: .object(members.filter { $0.key != key })).isEmpty, "\(key)")
        }
    }
}

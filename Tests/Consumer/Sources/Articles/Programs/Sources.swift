import Daedalus
import Foundation

/// Bytes in memory, a reader of seven bytes a time, and chunks that come one after the other.
func memory(_ bytes: [UInt8]) async throws {
    let inMemory = try await Dae.load(.bytes(bytes, name: "model.zip"))
    let slow = AssetSource.reader(name: "model.zip", size: Int64(bytes.count)) { offset, buffer in
        let piece = bytes[Int(offset)...].prefix(min(7, buffer.count))
        buffer.copyBytes(from: piece)
        return piece.count
    }
    let read = try await Dae.load(slow)
    let chunks = AsyncStream<ArraySlice<UInt8>> { continuation in
        for start in stride(from: 0, to: bytes.count, by: 4096) { continuation.yield(bytes[start...].prefix(4096)) }
        continuation.finish()
    }
    let arrived = try await Dae.load(.bytes(chunks.reduce(into: []) { $0 += $1 }, name: "model.zip"))
    try require(inMemory.scene == read.scene && read.scene == arrived.scene, "the same scene three times")
}

/// A reader that answers what cannot be, one that answers nothing, and one that throws.
func badsource() async throws {
    let answers: [@Sendable (Int) throws -> Int] = [
        { $0 + 1 }, { _ in 0 }, { _ in throw StoreFailure(message: "gone") },
    ]
    for answer in answers {
        let source = AssetSource.reader(name: "model.zip", size: 1000) { _, buffer in try answer(buffer.count) }
        do {
            _ = try await Dae.load(source)
            throw Unexpected("a scene of a reader that does not read")
        } catch let failure as CodedFailure { print(failure.code.rawValue, failure.message) }
    }
}

/// Text of a stranger is an address or nothing.
func traps() async throws {
    for text in ["/etc/passwd", "-", "file:///etc/passwd", "http://127.0.0.1:1/model.zip"] {
        do {
            _ = try await Dae.load(.url(text), options: .service)
            throw Unexpected("a scene of \(text)")
        } catch let failure as CodedFailure { print(text, failure.code.rawValue) }
    }
}

/// Severities of one's own, from a file and from a profile.
func ruleset() async throws {
    let found = try await Dae.validate(.path("model.zip"))
    let text = Array(#"{ "ignore": ["PERF_*"], "override": { "IMAGE_FOUND_BY_FALLBACK": "error" } }"#.utf8)
    let file = try LintConfiguration(parsing: text, file: ".daelint.json").rules
    for rules in [file, ValidationProfile.gltf.rules] {
        for finding in found.findings where !rules.ignored.contains(finding.code) {
            print(finding.place, rules.overrides[finding.code] ?? finding.severity, finding.code.rawValue)
        }
    }
}

/// A rule of one's own over the meshes, whose findings stand beside the library's.
func examiner() async throws {
    var options = Dae.Options()
    options.validates = true
    options.rules = [
        { scene, _ in
            scene.geometries.filter { $0.positions.count > 100 }.map {
                Finding(rule: "acme/small-meshes", "\($0.name ?? "a mesh") has \($0.positions.count) positions")
            }
        }
    ]
    let model = try await Dae.load(.path("model.zip"), options: options)
    for finding in model.findings.findings where finding.code == .customRule { print(finding.message) }
    try require(model.findings.counts[.customRule] == 1, "one large mesh")
}

/// The service: upload, states, results, removal, and a typed 404.
func client(server: String) async throws {
    let client = try AssetServiceClient(server)
    let added = try await client.add(file: "model.zip")
    let settled = try await client.settled(added.id) { print(AssetStatePresentation($0).line) }
    print(settled.name, try await client.files(added.id).map(\.path))
    try await client.model(added.id, to: "served.glb")
    try await client.remove(added.id)
    do { _ = try await client.asset(added.id) } catch { print(error) }
}

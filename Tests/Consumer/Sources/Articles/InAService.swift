import Daedalus
import Foundation

func ofStrangers(_ upload: [UInt8]) async throws {
    var options = Dae.Options.service
    options.downloadLimits.bytes = 100 << 20
    options.archiveLimits.entryCount = 2_000
    options.conversion = .init { asset in (path: "\(asset).glb", format: .glb) }
    let pipeline = AssetPipeline(operations: .live(options), atMost: 4)

    let uploaded = try await pipeline.perform(.add(bytes: upload, name: "model.zip"))
    let linked = try await pipeline.perform(.add(url: "http://127.0.0.1/model.zip"))

    let state = await pipeline.outcome(of: uploaded)
    try require(state?.isReady == true, "an upload")
    try await pipeline.perform(.convert(uploaded))
    try require(try await pipeline.conversion(of: uploaded) != nil, "an upload's model")
    try require(await pipeline.outcome(of: linked)?.failure?.code == .downloadBlockedAddress, "a refused address")
    await pipeline.end()
}

func withTheClient(token: String, server: String) async throws {
    let client = try AssetServiceClient(server, token: try BearerToken(token))
    let added = try await client.add(file: "model.zip")
    for try await state in client.states(of: added.id) { print(AssetStatePresentation(state).line) }
    let inspection = try await client.inspection(added.id)
    let report = try await client.report(added.id, .sarif)
    try await client.model(added.id, to: "model.glb")
    let links = try await client.signedLinks(to: added.id, lasting: 600)

    try require(inspection.counts.triangles > 0, "an inspection of the service")
    try require(links["model.glb"] != nil, "a link that needs no token")
    try require(!report.isEmpty, "a report of the service")
}

func responseOf(_ error: any Error) -> (status: Int, body: String) {
    switch error {
    case let error as any CodedError: (422, "\(error.code.rawValue): \(error.message)")
    case is CancellationError: (503, "stopped")
    default: (500, "\(error)")
    }
}

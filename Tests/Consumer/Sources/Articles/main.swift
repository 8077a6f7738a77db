// Runs the code that the articles show, in a folder with a walker as model.zip: Fixtures/bundles/walker.zip. With DAED_MODEL,
// an address of one, also what downloads; with DAED_URL, a service's address, also what talks to one.

import Daedalus
import Diagnostics
import Foundation

struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

func require(_ condition: Bool, _ what: String) throws {
    guard condition else { throw Unexpected("not as expected: " + what) }
}

let bytes = [UInt8](try Data(contentsOf: URL(filePath: "model.zip")))
let model = try await Dae.load(.path("model.zip"))

// Getting started
try await gettingStarted()
try await theOtherCalls()
_ = sources(address: "", bytes: bytes)
try await walkThroughTheScene()
try await seeIt()
try await whatGoesWrong()
do { _ = try await Dae.load(.path("missing.zip")) } catch {
    try require(error.localizedDescription == "\(error)", "what an error says to users of Foundation")
}

// A mesh on the GPU
try await indexedTriangles()
try await drawnMesh()
try await posedOnTheProcessor()
try inMetersWithTangents(model)

// The state machine and its actions
try await statesOfAnAsset()
try await actions()
try await screen()
try preview()
try await allAssets(["model.zip", "missing.zip"])
try await storedState()

// Own operations
try await ownDownload(bytes)
try await ownFailure()
try await timedParsing()
try await ownConversion()
try await ownReader(bytes)

// In a service
try await ofStrangers(bytes)

// What a source holds
try await imagesOfAModel()
texturesOfAMaterial(model)
try await validation()
try ownSeverities(try await Dae.validate(.path("model.zip")))
try await ownRules()
try await stricter()
try await conversion()
try await protectedConversion()
try bytesOfAModel(model)
try formatOfOnesOwn(model)
try piecesOfAModel(model)
try await limits()

// Programs
try await minimal()
try await meshdump()
try await glbmem()
try await stream()
try await observe()
try await ownops(bytes)
try await batch()
try await flood()
try await cancelparse()
try await memory(bytes)
try await badsource()
try await traps()
try await ruleset()
try await examiner()

let environment = ProcessInfo.processInfo.environment
if let address = environment["DAED_MODEL"] { try await downloads(address, token: "none") }
if let server = environment["DAED_URL"], let url = URL(string: server) {
    try await client(server: server)
    try await withTheClient(token: environment["DAED_TOKEN"] ?? "none", server: server)
    if let address = environment["DAED_MODEL"] {
        let file = try await ModelService(server: url).glb(of: address)
        try require(try Data(contentsOf: file).starts(with: Data("glTF".utf8)), "a GLB of the service")
    }
}
print("all articles' code ran")

import Daedalus
import Foundation

func gettingStarted() async throws {
    let model = try await Dae.load(.path("model.zip"))
    print(model.inspection.counts.triangles, "triangles in", model.inspection.bundle.scenePath)
    for finding in model.findings.findings { print(finding.place, finding.message, finding.code.rawValue) }

    try require(model.inspection.counts.triangles == 140, "triangles of the walker")
    try require(model.scene.nodes.count == 7, "nodes of the walker")
}

func theOtherCalls() async throws {
    let inspection = try await Dae.inspect(.path("model.zip"))
    print(inspection.counts.triangles, "triangles,", inspection.images.count, "images")

    let findings = try await Dae.validate(.path("model.zip"))
    print(findings.total(.error), "errors,", findings.total(.warning), "warnings")

    let report = try await Dae.convert(.path("model.zip"), to: "model.glb")
    print(report.bytes, "bytes written;", report.losses.count, "kinds of loss")

    try require(findings.total(.error) == 0, "errors of the walker")
    try require(FileManager.default.fileExists(atPath: "model.glb"), "a model.glb")
}

func sources(address: String, bytes: [UInt8]) -> [AssetSource] {
    let onDisk = AssetSource.path("model.zip")
    let oneOfSeveral = AssetSource.path("models", entry: "chairs/oak.dae")
    let onTheWeb = AssetSource.url("https://example.org/model.zip")
    let inMemory = AssetSource.bytes(bytes, name: "model.zip")

    return [onDisk, oneOfSeveral, onTheWeb, inMemory]
}

func walkThroughTheScene() async throws {
    let scene = try await Dae.load(.path("model.zip")).scene
    func show(_ index: Dae.SceneIndex<Dae.Node>, depth: Int) {
        let node = scene.nodes[index.value]
        print(String(repeating: "  ", count: depth), node.name ?? node.id ?? "a node", node.instances.count)
        for child in node.children { show(child, depth: depth + 1) }
    }
    for root in scene.roots { show(root, depth: 0) }
    for material in scene.materials { print(material.name ?? "a material", material[.diffuse]?.color ?? .zero) }
    for animation in scene.animations { print(animation.name ?? "an animation", animation.channels.count) }
}

func seeIt() async throws {
    let picture = try await model.picture(width: 256, height: 256, camera: "fit", time: 0.5)
    let file = try picture.png()
    try require(picture.findings.isEmpty && file.count > 500, "a picture of the walker")
}

func whatGoesWrong() async throws {
    do {
        _ = try await Dae.load(.path("missing.zip"))
    } catch let failure as CodedFailure {
        print(failure.code.rawValue, failure.message)
        print(failure.code.explanation.fix)
    }
}

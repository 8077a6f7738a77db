import Daedalus

let pipeline = AssetPipeline(operations: .live())
let asset = try await pipeline.perform(.add(path: "model.zip"))
for await state in await pipeline.states(of: asset) { print(AssetStatePresentation(state).line) }
if let model = await pipeline.model(of: asset) {
    for image in model.inspection.images { print(image.reference ?? "no file", image.status) }
    for node in model.scene.nodes { print(node.name ?? node.id ?? "a node", node.instances.count, "instances") }
    print(model.inspection.counts.triangles, "triangles,", model.findings.total(.error), "errors")
}

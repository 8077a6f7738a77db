import Daedalus

let pipeline = AssetPipeline(operations: .live())
let asset = try await pipeline.perform(.add(source: "model.zip"))
for await state in await pipeline.states(of: asset) { print(AssetStatePresentation(state).line) }
if let product = await pipeline.product(of: asset) {
    for image in product.inspection.images { print(image.reference ?? "no file", image.status) }
    for node in product.scene.nodes { print(node.name ?? node.id ?? "a node", node.instances.count, "instances") }
    print(product.inspection.counts.triangles, "triangles,", product.inspection.findings.total(.error), "errors")
}

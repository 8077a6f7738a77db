import Daedalus
import Foundation

/// Triangles, normals, texture coordinates and materials in the world.
func minimal() async throws {
    let model = try await Dae.load(.path("model.zip"))
    let drawing = try model.drawing()
    let pose = drawing.pose()
    for (place, instance) in drawing.instances.enumerated() {
        for (part, surface) in zip(drawing.meshes[instance.mesh].parts, instance.surfaces) {
            let world = part.posed(pose, instance: place)
            let color = surface.map { drawing.surfaces[$0].base } ?? .one
            print(world.vertexCount, world.normals.count, world.texcoords.count, world.indices.count / 3, color)
        }
    }
}

/// Everything that a viewer needs: meshes posed in the world as an OBJ, textures as files, skeletons, weights.
func meshdump() async throws {
    let model = try await Dae.load(.path("model.zip"))
    let drawing = try model.drawing()
    let pose = drawing.pose(at: 0.5)
    var (obj, first) = ("", 1)
    for (place, instance) in drawing.instances.enumerated() {
        let mesh = drawing.meshes[instance.mesh]
        for (part, surface) in zip(mesh.parts, instance.surfaces) where part.topology == .triangles {
            let world = part.posed(pose, instance: place)
            obj += "o \(mesh.name ?? "mesh")\nusemtl \(surface.map(String.init) ?? "none")\n"
            let uvs = world.texcoords.first ?? [Float](repeating: 0, count: 2 * world.vertexCount)
            for vertex in 0..<world.vertexCount {
                obj += "v \(row(world.positions, vertex, 3))\nvn \(row(world.normals, vertex, 3))\n"
                obj += "vt \(row(uvs, vertex, 2))\n"
            }
            for corner in stride(from: 0, to: world.indices.count, by: 3) {
                let face = world.indices[corner..<corner + 3].map { "\(Int($0) + first)" }
                obj += "f " + face.map { "\($0)/\($0)/\($0)" }.joined(separator: " ") + "\n"
            }
            first += world.vertexCount
            print(part.influences, "joints a vertex,", part.weights.count, "weights,", pose.joints[place].count)
        }
    }
    try Data(obj.utf8).write(to: URL(filePath: "model.obj"))
    for place in model.scene.images.indices {
        guard let picture = model.picture(of: Dae.SceneIndex(place)) else { continue }
        try Data(picture.bytes).write(to: URL(filePath: "image\(place)." + picture.mediaType.dropFirst(6)))
    }
    for node in model.scene.nodes {
        for case .controller(_, let skeleton, _) in node.instances {
            print(skeleton.joints.map { $0.flatMap { model.scene.nodes[$0.value].name } ?? "no node" })
        }
    }
    try require(first > 1, "vertices of the walker")
}

private func row(_ numbers: [Float], _ vertex: Int, _ width: Int) -> String {
    numbers[vertex * width..<(vertex + 1) * width].map { "\($0)" }.joined(separator: " ")
}

/// A GLB in memory.
func glbmem() async throws {
    let (glb, report) = try await Dae.load(.path("model.zip")).bytes(as: .glb)
    print(glb.count, "bytes,", report.losses.count, "kinds of loss")
}

/// A document of any size: arrays that are very many lie in a file.
func stream() async throws {
    var options = Dae.Options()
    options.collada.arrays = .archive
    let model = try await Dae.load(.path("model.zip"), options: options)
    for geometry in model.scene.geometries {
        print(geometry.name ?? "a geometry", geometry.mesh?.primitives.count ?? 0)
    }
    try model.write(as: .glb) { piece in print(piece.count, "bytes") }
}

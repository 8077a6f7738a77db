import Daedalus
import Foundation

func indexedTriangles() async throws {
    let drawing = try await Dae.load(.path("model.zip")).drawing()
    let part = drawing.meshes[0].parts[0]
    let (positions, normals, uvs, indices) = (part.positions, part.normals, part.texcoords.first, part.indices)

    try require(positions.count == normals.count && uvs != nil, "attributes of the walker")
    try require(indices.allSatisfy { $0 < positions.count / 3 }, "indices of the walker")
}

/// What an application would write over Metal, Vulkan or WebGPU.
struct GPU {
    var triangles = 0
    var textures = 0

    mutating func draw(_ part: Dae.DrawnPart, at world: [Float], color: SIMD4<Double>, texture: [UInt8]?) {
        triangles += part.indices.count / 3
        textures += texture == nil ? 0 : 1
    }
}

func drawnMesh() async throws {
    var gpu = GPU()
    let model = try await Dae.load(.path("model.zip"))
    let drawing = try model.drawing()
    let pose = drawing.pose(at: 0.5)
    for (place, instance) in drawing.instances.enumerated() {
        for (part, surface) in zip(drawing.meshes[instance.mesh].parts, instance.surfaces) {
            let material = surface.map { drawing.surfaces[$0] }
            let picture = material?.baseMap.flatMap { model.picture(of: $0.texture.image) }
            gpu.draw(part, at: pose.transforms[place].floats, color: material?.base ?? .one, texture: picture?.bytes)
        }
    }
    try require(gpu.triangles == 140 && gpu.textures > 0, "a drawn walker")
}

func posedOnTheProcessor() async throws {
    let drawing = try await Dae.load(.path("model.zip")).drawing()
    let pose = drawing.pose(at: 0.5)
    for (place, instance) in drawing.instances.enumerated() {
        for part in drawing.meshes[instance.mesh].parts {
            let posed = part.posed(pose, instance: place)
            print(posed.vertexCount, "vertices, the first at", posed.positions.prefix(3))
        }
    }
}

func inMetersWithTangents(_ model: Dae.Model) throws {
    var options = Dae.Drawing.Options()
    options.system = Dae.CoordinateSystem(metersPerUnit: 1, upAxis: .y)
    options.textureOrigin = .bottomLeft
    options.tangents = true
    options.influences = .eight
    let drawing = try model.drawing(options)

    try require(drawing.meshes[0].parts.allSatisfy { $0.tangents.count == 4 * $0.vertexCount }, "tangents")
}

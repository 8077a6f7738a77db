import DaeCollada
import DaeExport
import DaeMesh
import DaeScene
import FoundationEssentials
import TestSupport

/// A document on its way to a `.glb`.
struct Conversion {
    let scene: Scene
    let bytes: [UInt8]
    let report: FidelityReport

    init(_ document: [UInt8], images: ExportImages = .none, options: ExportOptions = ExportOptions()) throws {
        try self.init(try Self.scene(of: document), images: images, options: options)
    }

    init(_ scene: Scene, images: ExportImages = .none, options: ExportOptions = ExportOptions()) throws {
        self.scene = scene
        let folder = try TemporaryFolder()
        let path = folder.path + "/out.glb"
        report = try ExportFormat.glb.write(scene, to: path, images: images, options: options)
        bytes = try Repository.bytes(at: path)
    }

    static func scene(of document: [UInt8]) throws -> Scene {
        let parser = ColladaParser()
        try document.withUnsafeBytes { try parser.read($0) }
        return try parser.finish().document.scene().scene
    }

    var checker: GLTFChecker { GLTFChecker(bytes) }
}

extension GLTFFile {
    /// Triangles that are drawn, every instance counted.
    var drawnTriangles: Int {
        let meshes = list("meshes").map { mesh in
            (mesh["primitives"]?.elements ?? []).reduce(0) { sum, primitive in
                guard primitive["mode"]?.int == 4, let indices = primitive["indices"]?.int else { return sum }
                return sum + (list("accessors")[indices]["count"]?.int ?? 0) / 3
            }
        }
        return list("nodes").reduce(0) { $0 + ($1["mesh"]?.int.map { meshes[$0] } ?? 0) }
    }

    /// From each node to the world.
    var worlds: [Matrix4] {
        let nodes = list("nodes")
        var worlds = [Matrix4](repeating: .identity, count: nodes.count)
        var stack = (list("scenes").first?["nodes"]?.elements ?? []).compactMap(\.int).map { ($0, Matrix4.identity) }
        while let (index, parent) = stack.popLast() {
            let matrix = parent * Self.matrix(of: nodes[index])
            worlds[index] = matrix
            for child in nodes[index]["children"]?.elements ?? [] {
                if let child = child.int { stack.append((child, matrix)) }
            }
        }
        return worlds
    }

    static func matrix(of node: JSONNode) -> Matrix4 {
        if let numbers = node["matrix"]?.numbers, numbers.count == 16 {
            func column(_ index: Int) -> SIMD4<Double> { SIMD4(numbers[index * 4..<index * 4 + 4]) }
            return Matrix4(columns: (column(0), column(1), column(2), column(3)))
        }
        let translation = node["translation"]?.numbers ?? [0, 0, 0]
        let rotation = node["rotation"]?.numbers ?? [0, 0, 0, 1]
        let scale = node["scale"]?.numbers ?? [1, 1, 1]
        let (x, y, z, w) = (rotation[0], rotation[1], rotation[2], rotation[3])
        let turned = Matrix4(
            columns: (
                SIMD4(1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0) * scale[0],
                SIMD4(2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0) * scale[1],
                SIMD4(2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0) * scale[2],
                SIMD4(translation[0], translation[1], translation[2], 1)
            ))
        return turned
    }
}

extension GLTFChecker {
    /// Over the positions that are drawn without a skin, in the world; `nil` without any.
    var bounds: Bounds? {
        guard let file else { return nil }
        var bounds: Bounds?
        for (node, world) in zip(file.list("nodes"), file.worlds) where node["skin"] == nil {
            guard let mesh = node["mesh"]?.int else { continue }
            for primitive in file.list("meshes")[mesh]["primitives"]?.elements ?? [] {
                guard let index = primitive["attributes"]?["POSITION"]?.int, let positions = accessors[index] else {
                    continue
                }
                for row in 0..<positions.count {
                    let point = world.transform(point: SIMD3(positions.row(row)))
                    bounds =
                        bounds.map { Bounds(min: pointwiseMin($0.min, point), max: pointwiseMax($0.max, point)) }
                        ?? Bounds(min: point, max: point)
                }
            }
        }
        return bounds
    }
}

import DaeDiagnostics
import DaeMesh

/// Binary PLY, little-endian: one mesh of triangles. Properties are there where vertices have them: normals and texture
/// coordinates where all do, colours where any do, white for the others.
///
/// - Source: Greg Turk, "The PLY Polygon File Format", 1994.
struct PLYFormat: BakedSceneWriter {
    let materials = BakedMaterials.dropped

    func files(of path: String) -> [String] { [path] }

    func write(
        _ scene: BakedScene, to target: ExportTarget, _ images: ExportImages, _ report: inout FidelityReport
    ) throws(SceneExportError) {
        let triangles = try scene.count(of: .triangles)
        let vertices = try scene.vertexCount(of: .triangles)
        guard triangles > 0 else { throw SceneExportError(.convertNothingDrawable, STLFormat.nothing) }
        // Indices have a sign.
        guard vertices <= Int(Int32.max), triangles <= Int(Int32.max) else {
            throw SceneExportError(
                .convertTooLarge,
                "the scene has \(vertices) vertices and \(triangles) triangles; a .ply holds \(Int32.max) at most")
        }
        let layout = PLYLayout(of: scene)
        let header = layout.header(vertices: vertices, triangles: triangles, by: scene.options.generator)
        let size = header.count + vertices * layout.vertexSize + triangles * Self.triangleSize
        try scene.budget.write(size)
        scene.dropLines(&report)
        scene.dropAttributes(&report) { layout.isDropping($0) }
        try scene.options.checkLosses(report)

        let file = try ExportFile(for: target)
        try file.write(header)
        // Faces follow all vertices, but come with them.
        let faces = try ExportFile(unnamedBeside: target.path)
        var first: UInt32 = 0
        for instance in scene.drawing.instances.indices {
            let parts = scene.drawing.meshes[scene.drawing.instances[instance].mesh].parts
            for place in parts.indices where parts[place].topology == .triangles {
                let part = try scene.part(place, of: instance)
                for start in stride(from: 0, to: part.vertexCount, by: Self.verticesAtATime) {
                    try file.write(layout.words(of: part, start..<min(part.vertexCount, start + Self.verticesAtATime)))
                }
                try write(part, from: first, to: faces)
                first += UInt32(part.vertexCount)
            }
        }
        try file.write(contentsOf: faces)
        try file.deliver(to: target)
        report.contents.bytes = size
        report.contents.meshes = 1
        report.contents.primitives = 1
    }

    private static let triangleSize = 13
    private static let verticesAtATime = 4096

    /// - Parameter first: The file's number of the part's first vertex.
    private func write(_ part: DrawnPart, from first: UInt32, to file: ExportFile) throws(SceneExportError) {
        var bytes: [UInt8] = []
        for face in 0..<part.indices.count / 3 {
            bytes.append(3)
            for corner in 3 * face..<3 * face + 3 {
                let index = first + part.indices[corner]
                for shift in [UInt32(0), 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: index >> shift)) }
            }
            if face % Self.verticesAtATime == Self.verticesAtATime - 1 {
                try file.write(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
        }
        try file.write(bytes)
    }
}

/// What vertices of a file have.
private struct PLYLayout {
    private let hasNormals: Bool  // findings about the scene's vertices
    private let hasTexcoords: Bool
    private let hasColors: Bool

    init(of scene: BakedScene) {
        hasNormals = scene.parts(of: .triangles) { !$0.normals.isEmpty }.all
        hasTexcoords = scene.parts(of: .triangles) { !$0.texcoords.isEmpty }.all
        hasColors = scene.parts(of: .triangles) { !$0.colors.isEmpty }.any
    }

    /// Whether a part has something that vertices in the file have not.
    func isDropping(_ part: DrawnPart) -> Bool {
        !hasNormals && !part.normals.isEmpty || part.texcoords.count > (hasTexcoords ? 1 : 0) || part.colors.count > 1
    }

    var vertexSize: Int { 4 * (3 + (hasNormals ? 3 : 0) + (hasTexcoords ? 2 : 0) + (hasColors ? 1 : 0)) }

    func header(vertices: Int, triangles: Int, by generator: String) -> [UInt8] {
        func properties(_ names: [String], _ type: String) -> [String] { names.map { "property \(type) \($0)" } }
        var lines = ["ply", "format binary_little_endian 1.0", "comment \(generator)", "element vertex \(vertices)"]
        lines += properties(["x", "y", "z"], "float")
        if hasNormals { lines += properties(["nx", "ny", "nz"], "float") }
        if hasTexcoords { lines += properties(["s", "t"], "float") }
        if hasColors { lines += properties(["red", "green", "blue", "alpha"], "uchar") }
        lines += ["element face \(triangles)", "property list uchar int vertex_indices", "end_header", ""]
        return Array(lines.joined(separator: "\n").utf8)
    }

    func words(of part: DrawnPart, _ vertices: Range<Int>) -> [UInt32] {
        var words: [UInt32] = []
        words.reserveCapacity(vertices.count * vertexSize / 4)
        func put(_ numbers: [Float], _ width: Int, at vertex: Int) {
            for place in width * vertex..<width * (vertex + 1) { words.append(numbers[place].bitPattern.littleEndian) }
        }
        for vertex in vertices {
            put(part.positions, 3, at: vertex)
            if hasNormals { put(part.normals, 3, at: vertex) }
            if hasTexcoords { put(part.texcoords[0], 2, at: vertex) }
            guard hasColors else { continue }
            var color = UInt32.max
            if let colors = part.colors.first {
                color = 0
                for lane in 0..<4 {
                    let amount = (min(1, max(0, colors[4 * vertex + lane])) * 255).rounded()
                    color |= UInt32(amount) << UInt32(8 * lane)
                }
            }
            words.append(color.littleEndian)
        }
        return words
    }
}

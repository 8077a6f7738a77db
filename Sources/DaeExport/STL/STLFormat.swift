import DaeDiagnostics
import DaeMesh

/// Binary STL: triangles with the normals of their planes.
///
/// - Source: 3D Systems, "StereoLithography Interface Specification", 1989.
struct STLFormat: BakedSceneWriter {
    let materials = BakedMaterials.dropped

    func files(of path: String) -> [String] { [path] }

    func write(
        _ scene: BakedScene, to target: ExportTarget, _ images: ExportImages, _ report: inout FidelityReport
    ) throws(SceneExportError) {
        let triangles = try scene.count(of: .triangles)
        guard triangles > 0 else { throw SceneExportError(.convertNothingDrawable, Self.nothing) }
        guard let count = UInt32(exactly: triangles) else {
            throw SceneExportError(
                .convertTooLarge, "the scene has \(triangles) triangles; a .stl holds \(UInt32.max) at most")
        }
        let size = Self.headerSize + 4 + triangles * Self.triangleSize
        try scene.budget.write(size)
        scene.dropLines(&report)
        scene.dropAttributes(&report) { !$0.normals.isEmpty || !$0.texcoords.isEmpty || !$0.colors.isEmpty }
        try scene.options.checkLosses(report)

        let file = try ExportFile(for: target)
        // One that begins with "solid" is taken for a text.
        var header = Array("STL by \(scene.options.generator)".utf8.prefix(Self.headerSize))
        header += [UInt8](repeating: 0, count: Self.headerSize - header.count)
        try file.write(header)
        try file.write([count.littleEndian])
        for instance in scene.drawing.instances.indices {
            let parts = scene.drawing.meshes[scene.drawing.instances[instance].mesh].parts
            for part in parts.indices where parts[part].topology == .triangles {
                try write(try scene.part(part, of: instance), to: file)
            }
        }
        try file.deliver(to: target)
        report.contents.bytes = size
        report.contents.meshes = 1
        report.contents.primitives = 1
    }

    static let nothing = "the scene has no triangle to draw; expected one at least"
    private static let headerSize = 80
    private static let triangleSize = 50
    private static let trianglesAtATime = 4096

    private func write(_ part: DrawnPart, to file: ExportFile) throws(SceneExportError) {
        // A triangle has no whole number of words of 32 bits.
        var halves: [UInt16] = []
        halves.reserveCapacity(Self.trianglesAtATime * Self.triangleSize / 2)
        func put(_ number: Float) {
            let bits = number.bitPattern
            halves.append(UInt16(truncatingIfNeeded: bits).littleEndian)
            halves.append(UInt16(truncatingIfNeeded: bits >> 16).littleEndian)
        }
        for face in 0..<part.indices.count / 3 {
            let normal = part.faceNormal(face)
            for lane in 0..<3 { put(normal[lane]) }
            for corner in 3 * face..<3 * face + 3 {
                let start = 3 * Int(part.indices[corner])
                for lane in start..<start + 3 { put(part.positions[lane]) }
            }
            halves.append(0)
            if face % Self.trianglesAtATime == Self.trianglesAtATime - 1 {
                try file.write(halves)
                halves.removeAll(keepingCapacity: true)
            }
        }
        try file.write(halves)
    }
}

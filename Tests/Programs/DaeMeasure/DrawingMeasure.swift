import DaeCollada
import DaeExport
import DaeMesh
import DaeScene
import Glibc

/// What it takes to make a scene ready to be drawn, beside what its conversion to .glb takes: CPU seconds of each, the least
/// of three.
struct DrawingMeasure {
    let drawSeconds: Double
    let convertSeconds: Double
    let vertices: Int

    init(of document: [UInt8]) throws {
        let parser = ColladaParser()
        try document.withUnsafeBytes { all in
            for start in stride(from: 0, to: all.count, by: 64 << 10) {
                try parser.read(UnsafeRawBufferPointer(rebasing: all[start..<min(start + (64 << 10), all.count)]))
            }
        }
        let scene = try parser.finish().document.scene().scene
        var (draw, convert, count) = (Double.infinity, Double.infinity, 0)
        for _ in 0..<3 {
            var usage = Usage()
            let drawing = try Drawing(scene)
            draw = min(draw, Usage().seconds - usage.seconds)
            count = drawing.meshes.reduce(0) { $1.parts.reduce($0) { $0 + $1.vertexCount } }
            usage = Usage()
            _ = try ExportFormat.glb.write(
                scene, to: .sink { _ in }, images: .none, options: ExportOptions(), budget: ConversionBudget(),
                isCancelled: { false })
            convert = min(convert, Usage().seconds - usage.seconds)
        }
        (drawSeconds, convertSeconds, vertices) = (draw, convert, count)
    }
}

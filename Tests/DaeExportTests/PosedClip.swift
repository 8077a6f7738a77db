import DaeExport
import DaeMesh
import DaeScene
import FoundationEssentials
import TestSupport

/// One animation of a converted document, and where the library has its corners at ten times.
struct PosedClip {
    let file: String
    /// Its place among the file's animations.
    let animation: Int
    /// Of the box around all that is shown at any of the times.
    let size: Double
    /// In the file's animation.
    let times: [Double]
    /// For each time x y z of every corner of every triangle, in the order of the document.
    let positions: [Double]

    var positionsName: String { "\(file).\(animation).positions" }
    var positionBytes: [UInt8] { positions.withUnsafeBytes { Array($0) } }

    /// As `Tests/Peers/poses.py` reads it.
    var request: String {
        "{\"file\": \"\(file)\", \"animation\": \(animation), \"size\": \(size), \"times\": \(times), "
            + "\"positions\": \"\(positionsName)\"}"
    }

    /// None of a document that the format cannot hold as it is, as the report says.
    static func all(of conversion: Conversion, file: String) -> [PosedClip] {
        let told = Set(conversion.report.entries.map(\.subject))
        // Sheared nodes that move are straightened, faces without positions are left out, and weights that do not sum up to
        // 1 are made to.
        let isShearing = conversion.report.entries.contains { $0.subject == .shear && $0.change == .approximated }
        guard !isShearing, told.isDisjoint(with: [.corners, .weights, .influences, .controllerChains, .joints]),
            let written = conversion.checker.file
        else { return [] }
        let scene = conversion.scene.converted(toMeters: 1, up: .y)
        let corners = Corners(of: scene)
        return written.list("animations").indices.compactMap { animation in
            let name = written.list("animations")[animation]["name"]?.string
            let clip = scene.clips.first { ($0.name ?? $0.id) == name }
            let channels = clip.map { scene.channels(of: $0) } ?? scene.channels
            guard scene.clips.isEmpty || clip != nil else { return nil }
            let keys = Set(channels.flatMap(\.curve.times)).sorted()
            guard let first = keys.first, let last = keys.last else { return nil }
            var range = first...last
            if let clip, let end = clip.end, end > clip.start { range = clip.start...end }
            let offset = clip == nil ? min(0, range.lowerBound) : range.lowerBound
            // A matrix turns between its keys in every engine; the document has it pass straight.
            let moments =
                told.contains(.matrixKeys)
                ? tenth(of: keys.filter { range.contains($0) })
                : (0..<10).map {
                    range.lowerBound + (range.upperBound - range.lowerBound) * (Double($0) + 0.37) / 10
                }
            var pose = PoseEvaluator(scene: scene, channels: channels)
            let positions = moments.flatMap { time in
                pose.move(to: time)
                return corners.positions(pose, in: scene)
            }
            let size = size(of: positions)
            return PosedClip(
                file: file, animation: animation, size: size > 0 ? size : 1,
                times: moments.map { $0 - offset }, positions: positions)
        }
    }

    private static func size(of positions: [Double]) -> Double {
        var box = Bounds(SIMD3(repeating: 0))
        for place in stride(from: 0, to: positions.count, by: 3) {
            let point = SIMD3(positions[place], positions[place + 1], positions[place + 2])
            if place == 0 { box = Bounds(point) } else { box.formUnion(point) }
        }
        return box.size.max()
    }

    private static func tenth(of keys: [Double]) -> [Double] {
        let step = max(1, (keys.count + 9) / 10)
        return stride(from: 0, to: keys.count, by: step).map { keys[$0] }
    }
}

/// Which positions the triangles of each mesh have at their corners.
private struct Corners {
    private var byGeometry: [[Int]] = []

    init(of scene: Scene) {
        var triangulator = Triangulator()
        for geometry in scene.geometries {
            guard let mesh = geometry.mesh else {
                byGeometry.append([])
                continue
            }
            byGeometry.append(
                mesh.primitives.flatMap { primitive -> [Int] in
                    guard let input = primitive.inputs.first(where: { mesh.streams[$0.stream].semantic == .position })
                    else { return [] }
                    return mesh.triangles(of: primitive, using: &triangulator).corners.map { corner in
                        Int(primitive.indices[Int(corner) * primitive.stride + input.offset])
                    }
                })
        }
    }

    func positions(_ pose: PoseEvaluator, in scene: Scene) -> [Double] {
        let deformer = Deformer(scene: scene, pose: pose)
        var found: [Double] = []
        pose.forEachPlacement(in: scene) { node, matrix in
            for instance in scene.nodes[node].instances {
                guard let geometry = scene.drawn(by: instance)?.geometry,
                    let positions = deformer.positions(of: instance, placedBy: matrix)
                else { continue }
                for index in byGeometry[geometry.value] { found += positions[index * 3..<index * 3 + 3] }
            }
        }
        return found
    }
}

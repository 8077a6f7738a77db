import ColladaParser
import Diagnostics
import SceneModel

/// Vertex colours that are none to show: all of them black, or beyond what a colour can be.
enum VertexColorRules {
    /// By which a number may miss 0 to 1: programs write few digits.
    private static let tolerance = 1e-3

    static func check(_ unit: GeometryUnit, _ log: inout FindingLog) {
        let mesh = unit.mesh
        var seen: Set<Int> = []
        for index in mesh.primitives.indices {
            for input in mesh.primitives[index].inputs {
                guard case .color = mesh.streams[input.stream].semantic, seen.insert(input.stream).inserted else {
                    continue
                }
                check(mesh.streams[input.stream], at: unit.place(ofSource: .color, inPrimitive: index), &log)
            }
        }
    }

    private static func check(_ colors: Mesh.Stream, at place: @autoclosure () -> Place, _ log: inout FindingLog) {
        var (isBlack, beyond, first) = (true, 0, 0)
        for index in 0..<colors.count {
            var isWithin = true
            for lane in 0..<min(3, colors.lanes.count) {
                let value = colors.value(index, lane: lane)
                if value != 0 { isBlack = false }
                if !(value >= -tolerance && value <= 1 + tolerance) { isWithin = false }
            }
            if !isWithin {
                if beyond == 0 { first = index }
                beyond += 1
            }
        }
        if colors.count > 0, !colors.lanes.isEmpty, isBlack {
            log.add(
                .meshColorsBlack, at: place(), "all \(colors.count) vertex colours are black",
                arguments: [.init("count", "\(colors.count)")])
        }
        if beyond > 0 {
            log.add(
                .meshColorsRange, at: place(),
                "\(beyond) of \(colors.count) vertex colours are not between 0 and 1; the first is colour \(first)",
                arguments: [
                    .init("count", "\(beyond)"), .init("colors", "\(colors.count)"), .init("first", "\(first)"),
                ])
        }
    }
}

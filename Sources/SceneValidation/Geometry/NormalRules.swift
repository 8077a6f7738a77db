import ColladaParser
import Diagnostics
import SceneModel

/// Normals that are no directions, or not of length 1. Only those that a corner uses count: exporters put a zero where
/// nothing leads to.
enum NormalRules {
    /// By which a length may miss 1: numbers of two digits behind the point miss it by up to 0.0087.
    static let tolerance = 0.01
    /// Shorter ones have no direction: what a `Float` cannot tell from 0 beside 1.
    static let shortest = 0x1p-24

    static func check(_ unit: GeometryUnit, _ log: inout FindingLog) {
        let mesh = unit.mesh
        var last: Int?
        var seen: Set<Int> = []
        for index in mesh.primitives.indices {
            for input in mesh.primitives[index].inputs where input.stream != last {
                guard case .normal = mesh.streams[input.stream].semantic else { continue }
                // Mostly there is but one.
                if let last { seen.insert(last) }
                last = input.stream
                guard !seen.contains(input.stream) else { continue }
                var odd = OddNormals(mesh.streams[input.stream])
                guard !odd.isEmpty else { continue }
                odd.keepUsed(of: input.stream, in: mesh)
                tell(odd, at: unit.place(ofSource: .normal, inPrimitive: index), &log)
            }
        }
    }

    private static func tell(_ odd: OddNormals, at place: @autoclosure () -> Place, _ log: inout FindingLog) {
        if odd.zero.count > 0 {
            log.add(
                .normalZero, at: place(),
                "\(odd.zero.count) of \(odd.count) normals have no length; the first is normal \(odd.zero.first)",
                arguments: [
                    .init("count", "\(odd.zero.count)"), .init("normals", "\(odd.count)"),
                    .init("first", "\(odd.zero.first)"),
                ])
        }
        if odd.nonUnit.count > 0 {
            log.add(
                .normalNonUnit, at: place(),
                "\(odd.nonUnit.count) of \(odd.count) normals are not of length 1; the first is normal \(odd.nonUnit.first) with \(odd.length(of: odd.nonUnit.first)), expected 1 ± \(tolerance)",
                arguments: [
                    .init("count", "\(odd.nonUnit.count)"), .init("normals", "\(odd.count)"),
                    .init("first", "\(odd.nonUnit.first)"), .init("length", "\(odd.length(of: odd.nonUnit.first))"),
                ])
        }
    }
}

// Of each node its own transforms together, as an engine would hold them.

import ColladaParser
import Diagnostics
import SceneModel

enum TransformRules {
    static func check(_ subject: SceneRules.Subject, _ places: DocumentPlaces, _ log: inout FindingLog) {
        for index in subject.linked.document.nodes.indices where subject.scene.nodes[index].transforms.mayDeform {
            let axes = Axes(subject.scene.nodes[index].matrix)
            guard axes.isFinite else { continue }
            if axes.isFlat {
                log.add(
                    .nodeTransformSingular, at: places.node(index),
                    "the node's axes have the lengths \(axes.lengthsText) and span no volume",
                    arguments: [.init("lengths", axes.lengthsText)])
                continue
            }
            if axes.skewness > squareness {
                let text = "\(axes.skewness.rounded(to: 4))"
                log.add(
                    .nodeTransformShear, at: places.node(index),
                    "the node's axes are not at right angles: the cosine between two is \(text); at most \(squareness)",
                    arguments: [.init("cosine", text), .init("limit", "\(squareness)")])
            }
            if axes.volume < 0 {
                log.add(.nodeTransformMirrored, at: places.node(index), "the node's transforms mirror what is below it")
            }
        }
    }

    /// The largest cosine between two axes that passes for a right angle: files have four digits of it or more.
    static let squareness = 1e-3
}

/// The axes of a matrix, held against each other.
private struct Axes {
    /// What is left of a unit cube whose edges point along the axes, below which nothing of it can be told from rounding.
    private static let flatness = 1e-9

    let lengths: SIMD3<Double>
    /// Of a cube of unit edges along the axes: −1...1, negative when mirrored.
    let volume: Double
    /// The largest cosine between two.
    let skewness: Double

    init(_ matrix: Matrix4) {
        func axis(_ column: SIMD4<Double>) -> SIMD3<Double> { SIMD3(column.x, column.y, column.z) }
        let given = [axis(matrix.columns.0), axis(matrix.columns.1), axis(matrix.columns.2)]
        let long = given.map { ($0 * $0).sum().squareRoot() }
        lengths = SIMD3(long[0], long[1], long[2])
        let unit = zip(given, long).map { $0 / $1 }
        let cross = SIMD3(
            unit[1].y * unit[2].z - unit[1].z * unit[2].y, unit[1].z * unit[2].x - unit[1].x * unit[2].z,
            unit[1].x * unit[2].y - unit[1].y * unit[2].x)
        volume = (unit[0] * cross).sum()
        skewness = [(0, 1), (1, 2), (2, 0)].map { abs((unit[$0] * unit[$1]).sum()) }.max() ?? 0
    }

    var isFinite: Bool { lengths.x.isFinite && lengths.y.isFinite && lengths.z.isFinite }

    /// A length of 0 makes the volume no number.
    var isFlat: Bool { !(abs(volume) > Self.flatness) }

    var lengthsText: String { "\(lengths.x.rounded(to: 6)) \(lengths.y.rounded(to: 6)) \(lengths.z.rounded(to: 6))" }
}

extension Double {
    fileprivate func rounded(to digits: Int) -> Double {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        let rounded = (self * scale).rounded() / scale
        return rounded.isFinite && rounded != 0 ? rounded : self
    }
}

extension [Transform] {
    /// Whether it is more than a turn and a move.
    fileprivate var mayDeform: Bool {
        contains { transform in
            switch transform {
            case .matrix, .scale, .skew: true
            case .translate, .rotate, .lookat: false
            }
        }
    }
}

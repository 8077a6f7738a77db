// Of each node its own transforms together, as an engine would hold them.

import ColladaParser
import Diagnostics
import SceneModel

enum TransformRules {
    static func check(_ subject: SceneRules.Subject, _ places: DocumentPlaces, _ log: inout FindingLog) {
        // In a span: what is taken out of a list would be copied.
        let nodes = subject.scene.nodes.span
        for index in subject.linked.document.nodes.indices {
            guard let matrix = nodes[index].record.deformation else { continue }
            let axes = Axes(matrix)
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
        func length(_ axis: SIMD3<Double>) -> Double { (axis * axis).sum().squareRoot() }
        func cosine(_ one: SIMD3<Double>, _ other: SIMD3<Double>) -> Double { abs((one * other).sum()) }
        func larger(_ one: Double, _ other: Double) -> Double { one < other ? other : one }
        var (x, y, z) = (axis(matrix.columns.0), axis(matrix.columns.1), axis(matrix.columns.2))
        lengths = SIMD3(length(x), length(y), length(z))
        (x, y, z) = (x / lengths.x, y / lengths.y, z / lengths.z)
        let cross = SIMD3(y.y * z.z - y.z * z.y, y.z * z.x - y.x * z.z, y.x * z.y - y.y * z.x)
        volume = (x * cross).sum()
        skewness = larger(larger(cosine(x, y), cosine(y, z)), cosine(z, x))
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

extension NodeRecord {
    /// Its matrix, if that may be more than a turn and a move.
    fileprivate var deformation: Matrix4? {
        // Nearly always it is all there is.
        if let matrix = soleAffineMatrix { return matrix }
        var count = 0
        var deforming = 0
        var last: Matrix4?
        forEachTransform { transform in
            count += 1
            switch transform {
            case .matrix(let matrix):
                deforming += 1
                last = matrix
            case .scale, .skew: deforming += 1
            case .translate, .rotate, .lookat: break
            }
        }
        guard deforming > 0 else { return nil }
        return count == 1 ? last ?? matrix : matrix
    }
}

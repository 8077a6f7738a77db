import DaeDiagnostics
import DaeScene
import DaeSchema

/// Reads the transforms of nodes, bodies, links and frames.
enum TransformReader {
    static func transform(_ view: ElementView, _ context: inout ReadingContext) -> Transform? {
        switch view.name {
        case .matrix: return context.numbers(in: view, count: 16).map { .matrix(Matrix4(sixteen: $0)) }
        case .translate: return context.numbers(in: view, count: 3).map { .translate(SIMD3($0, from: 0)) }
        case .scale: return context.numbers(in: view, count: 3).map { .scale(SIMD3($0, from: 0)) }
        case .rotate:
            return context.numbers(in: view, count: 4).map { .rotate(axis: SIMD3($0, from: 0), degrees: $0[3]) }
        case .skew:
            return context.numbers(in: view, count: 7).map {
                .skew(degrees: $0[0], from: SIMD3($0, from: 1), along: SIMD3($0, from: 4))
            }
        case .lookat:
            return context.numbers(in: view, count: 9).map {
                .lookat(eye: SIMD3($0, from: 0), interest: SIMD3($0, from: 3), up: SIMD3($0, from: 6))
            }
        default: return nil  // element names: every other one is no transform
        }
    }

    /// The translations and rotations directly within, in order.
    static func placement(in view: ElementView, _ context: inout ReadingContext) -> [Transform] {
        view.children.compactMap { child in
            let transform = transform(child, &context)
            if let transform, transform.matrix == nil {
                context.log.add(
                    .nodeRotateAxisZero, at: child.place, "<\(child.name.rawValue)> has no direction; it was left out")
            }
            return transform
        }
    }
}

extension ElementName {
    var isTransform: Bool {
        switch self {
        case .matrix, .translate, .scale, .rotate, .skew, .lookat: true
        default: false  // element names: every other one is no transform
        }
    }
}

extension Matrix4 {
    /// From sixteen values row by row.
    fileprivate init(sixteen values: [Double]) {
        func column(_ index: Int) -> SIMD4<Double> {
            SIMD4(values[index], values[4 + index], values[8 + index], values[12 + index])
        }
        self.init(columns: (column(0), column(1), column(2), column(3)))
    }
}

extension SIMD3<Double> {
    /// Three values that are there.
    fileprivate init(_ values: [Double], from start: Int) {
        self.init(values[start], values[start + 1], values[start + 2])
    }
}

/// The figures of one mesh. Document, scene and report all have them, and share their memory.
public struct MeshMeasure: Sendable, Equatable {
    private var shared = Shared.none

    private indirect enum Shared: Sendable {
        case none
        /// As nearly all are, in two thirds of the memory.
        case plain(PlainFigures)
        case figures(Figures)

        init(_ figures: Figures) { self = PlainFigures(figures).map { .plain($0) } ?? .figures(figures) }

        var figures: Figures {
            switch self {
            case .none: Figures()
            case .plain(let plain): plain.figures
            case .figures(let figures): figures
            }
        }
    }

    package struct Figures: Sendable, Equatable {
        package var submeshes = 0
        package var triangles = 0
        package var faceCorners = 0
        package var positions = 0
        package var lines = 0
        package var degenerateFaces = 0
        package var bounds: Bounds?

        package init() {}
    }

    /// Of triangles and polygons that are sound, and not more than 32 bits count.
    private struct PlainFigures: Sendable {
        private let submeshes, triangles, faceCorners, positions: UInt32
        private let bounds: Bounds

        init?(_ figures: Figures) {
            guard figures.lines == 0, figures.degenerateFaces == 0, let bounds = figures.bounds,
                let submeshes = UInt32(exactly: figures.submeshes), let triangles = UInt32(exactly: figures.triangles),
                let faceCorners = UInt32(exactly: figures.faceCorners),
                let positions = UInt32(exactly: figures.positions)
            else { return nil }
            (self.submeshes, self.triangles, self.faceCorners) = (submeshes, triangles, faceCorners)
            (self.positions, self.bounds) = (positions, bounds)
        }

        var figures: Figures {
            var figures = Figures()
            (figures.submeshes, figures.triangles) = (Int(submeshes), Int(triangles))
            (figures.faceCorners, figures.positions) = (Int(faceCorners), Int(positions))
            figures.bounds = bounds
            return figures
        }
    }

    public init() {}

    package init(_ figures: Figures) { shared = Shared(figures) }

    private(set) var figures: Figures {
        get { shared.figures }
        set { shared = Shared(newValue) }
    }

    /// Primitive elements with at least one primitive, lines too.
    public var submeshes: Int {
        get { figures.submeshes }
        set { figures.submeshes = newValue }
    }
    /// After triangulation: a polygon of n corners gives n − 2; strips and fans unrolled.
    public var triangles: Int {
        get { figures.triangles }
        set { figures.triangles = newValue }
    }
    /// Corners as written for polygons, three for each triangle of strips and fans.
    public var faceCorners: Int {
        get { figures.faceCorners }
        set { figures.faceCorners = newValue }
    }
    /// Positions in its source, used or not.
    public var positions: Int {
        get { figures.positions }
        set { figures.positions = newValue }
    }
    /// Segments of lines and line strips.
    public var lines: Int {
        get { figures.lines }
        set { figures.lines = newValue }
    }
    /// Triangles and polygons that have a corner twice in a row, strips and fans aside.
    public var degenerateFaces: Int {
        get { figures.degenerateFaces }
        set { figures.degenerateFaces = newValue }
    }
    /// Over the positions its primitives use; `nil` without any.
    public var bounds: Bounds? {
        get { figures.bounds }
        set { figures.bounds = newValue }
    }
}

extension MeshMeasure {
    /// By their figures: none are the same as all 0.
    public static func == (left: MeshMeasure, right: MeshMeasure) -> Bool { left.figures == right.figures }
}

/// The figures of one mesh. Document, scene and report all have them, and share their memory.
public struct MeshMeasure: Sendable, Equatable {
    private var shared = Shared.none

    private indirect enum Shared: Sendable, Equatable {
        case none
        case figures(Figures)
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

    public init() {}

    package init(_ figures: Figures) { shared = .figures(figures) }

    private(set) var figures: Figures {
        get {
            switch shared {
            case .none: Figures()
            case .figures(let figures): figures
            }
        }
        set { shared = .figures(newValue) }
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

import SceneModel

/// The positions of a mesh as x y z after x y z; nearly always the document's array itself.
struct MeshPositions {
    private let streams: [Mesh.Stream]
    /// By stream.
    private var known: [Int: [Double]] = [:]

    init(_ mesh: Mesh) { streams = mesh.streams }

    mutating func values(of stream: Int) -> [Double] {
        if let values = known[stream] { return values }
        let values = streams[stream].tripled
        known[stream] = values
        return values
    }
}

extension Mesh.Primitive {
    /// The first input of positions.
    func positionInput(in streams: [Mesh.Stream]) -> Input? {
        inputs.first { streams[$0.stream].semantic == .position && $0.offset < stride }
    }
}

extension Mesh.Stream {
    /// Whether its array holds nothing but three numbers an element, in their order.
    var isPlainTriples: Bool { offset == 0 && stride == 3 && lanes == [0, 1, 2] && values.count == 3 * count }

    /// Three numbers an element, 0 for what it lacks.
    var tripled: [Double] {
        if isPlainTriples { return values }
        var all: [Double] = []
        for index in 0..<count { for lane in 0..<3 { all.append(value(index, lane: lane)) } }
        return all
    }
}

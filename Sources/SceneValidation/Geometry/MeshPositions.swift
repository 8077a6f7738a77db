import SceneModel

/// The positions of a mesh as x y z after x y z; nearly always the document's array itself.
struct MeshPositions {
    private let streams: [Mesh.Stream]
    /// Those of the stream that was asked for last: primitives mostly share theirs.
    private var last: (stream: Int, values: [Double])?
    /// Of those before it, by stream.
    private var known: [Int: [Double]] = [:]

    init(_ mesh: Mesh) { streams = mesh.streams }

    mutating func values(of stream: Int) -> [Double] {
        if let last {
            if last.stream == stream { return last.values }
            known[last.stream] = last.values
        }
        let values = known[stream] ?? streams[stream].tripled
        last = (stream, values)
        return values
    }
}

extension Mesh.Primitive {
    /// The first input of positions.
    func positionInput(in streams: [Mesh.Stream]) -> Input? {
        for index in inputs.indices where inputs[index].offset < stride {
            if case .position = streams[inputs[index].stream].semantic { return inputs[index] }
        }
        return nil
    }
}

extension Mesh.Stream {
    /// Whether its array holds nothing but three numbers an element, in their order.
    var isPlainTriples: Bool { offset == 0 && stride == 3 && values.count == 3 * count && hasPlainLanes }

    private var hasPlainLanes: Bool { lanes.count == 3 && lanes[0] == 0 && lanes[1] == 1 && lanes[2] == 2 }

    /// Three numbers an element, 0 for what it lacks.
    var tripled: [Double] {
        if isPlainTriples { return values }
        var all: [Double] = []
        for index in 0..<count { for lane in 0..<3 { all.append(value(index, lane: lane)) } }
        return all
    }
}

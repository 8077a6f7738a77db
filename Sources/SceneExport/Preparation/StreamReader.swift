import SceneModel

/// The elements of one stream, four numbers each; those that it does not have are 0, and the fourth is 1.
struct StreamReader {
    private let values: [Double]
    private let offset: Int
    private let stride: Int
    /// Elements that the array really holds.
    let count: Int
    /// Places of the numbers in an element; −1 for one that it does not have.
    private let lanes: SIMD4<Int>

    init(_ stream: Mesh.Stream) {
        values = stream.values
        offset = stream.offset
        stride = stream.stride
        var lanes = SIMD4(repeating: -1)
        for (place, lane) in stream.lanes.prefix(4).enumerated() { lanes[place] = lane }
        self.lanes = lanes
        // What the array really holds decides, whatever was counted.
        let reach = (stream.lanes.max() ?? 0) + 1
        let room = stream.values.count - stream.offset - reach
        count = room < 0 ? 0 : min(stream.count, room / max(1, stream.stride) + 1)
    }

    /// An element that the stream does not have.
    static let missing = SIMD4<Double>(0, 0, 0, 1)

    func has(_ index: Int32) -> Bool { index >= 0 && Int(index) < count }

    subscript(index: Int32) -> SIMD4<Double> {
        var element = Self.missing
        guard has(index) else { return element }
        let start = offset + Int(index) * stride
        if lanes.x >= 0 { element.x = values[start + lanes.x] }
        if lanes.y >= 0 { element.y = values[start + lanes.y] }
        if lanes.z >= 0 { element.z = values[start + lanes.z] }
        if lanes.w >= 0 { element.w = values[start + lanes.w] }
        return element
    }

    /// Calls `body` with the memory of all elements where each has so many numbers one after the other: the first of
    /// element i stands at i × step.
    ///
    /// - Returns: Whether they stand so; if not, `body` was not called.
    func withPlainElements(of width: Int, _ body: (_ numbers: UnsafePointer<Double>, _ step: Int) -> Void) -> Bool {
        guard count > 0, offset >= 0, stride >= 0, (0..<width).allSatisfy({ lanes[$0] == $0 }) else { return false }
        values.withUnsafeBufferPointer { values in
            if let numbers = values.baseAddress { body(numbers + offset, stride) }
        }
        return true
    }
}

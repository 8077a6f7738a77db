/// The least and the most of each number of elements that come in turn.
struct NumberBounds {
    private var lowest: [Float]
    private var highest: [Float]
    private let width: Int

    init(width: Int) {
        self.width = width
        lowest = [Float](repeating: .infinity, count: width)
        highest = [Float](repeating: -.infinity, count: width)
    }

    var least: [Double] { lowest.map { Double($0) } }
    var most: [Double] { highest.map { Double($0) } }

    /// - Parameter values: Of whole elements.
    mutating func add(_ values: [Float]) {
        values.withUnsafeBufferPointer { values in
            for start in stride(from: 0, to: values.count - values.count % width, by: width) {
                for lane in 0..<width {
                    let value = values[start + lane]
                    if value < lowest[lane] { lowest[lane] = value }
                    if value > highest[lane] { highest[lane] = value }
                }
            }
        }
    }
}

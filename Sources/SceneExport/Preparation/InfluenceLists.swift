/// The strongest influences of each vertex, at most as many as are asked for.
struct InfluenceLists {
    private let limit: Int
    private let vertices: Int
    /// `limit` a vertex, the strongest first.
    private var joint: [UInt16]
    private var weight: [Double]
    private var used: [UInt8]
    /// Influences for which there was no room.
    private(set) var lost = 0
    /// Vertices whose weights did not sum up to 1.
    private(set) var normalized = 0
    /// Whether some vertex has the bind shape among what moves it.
    private(set) var usesBindShape = false  // a finding about the vertices

    /// How far a sum of weights may be from 1 and still be rounding.
    private static let tolerance = 1e-4

    /// - Parameter limit: 1...255.
    init(vertices: Int, limit: Int) {
        self.vertices = vertices
        self.limit = limit
        joint = [UInt16](repeating: 0, count: vertices * limit)
        weight = [Double](repeating: 0, count: vertices * limit)
        used = [UInt8](repeating: 0, count: vertices)
    }

    /// A weight of nothing, a negative one and one that is no number move nothing; a joint named twice is one.
    mutating func add(_ number: Int, _ amount: Double, to vertex: Int) {
        guard amount > 0, amount.isFinite else { return }
        let start = vertex * limit
        var count = Int(used[vertex])
        var amount = amount
        if let same = (start..<start + count).first(where: { joint[$0] == number }) {
            amount += weight[same]
            count -= 1
            for place in same..<start + count {
                joint[place] = joint[place + 1]
                weight[place] = weight[place + 1]
            }
        }
        if count == limit {
            lost += 1
            guard amount > weight[start + limit - 1] else { return }
            count -= 1
        }
        var place = start + count
        while place > start, weight[place - 1] < amount {
            joint[place] = joint[place - 1]
            weight[place] = weight[place - 1]
            place -= 1
        }
        joint[place] = UInt16(clamping: number)
        weight[place] = amount
        used[vertex] = UInt8(count + 1)
    }

    /// Brings each vertex' weights to a sum of 1; one without any gets the bind shape.
    mutating func settle(bindShape: Int) {
        for vertex in 0..<vertices {
            let places = vertex * limit..<vertex * limit + Int(used[vertex])
            let sum = places.reduce(0) { $0 + weight[$1] }
            // What was moved up left its trace behind.
            for place in places.upperBound..<(vertex + 1) * limit { (joint[place], weight[place]) = (0, 0) }
            if places.isEmpty {
                joint[vertex * limit] = UInt16(clamping: bindShape)
                weight[vertex * limit] = 1
                used[vertex] = 1
                usesBindShape = true
                continue
            }
            if abs(sum - 1) > Self.tolerance { normalized += 1 }
            for place in places {
                weight[place] /= sum
                if Int(joint[place]) == bindShape { usesBindShape = true }
            }
        }
    }

    /// Influences of the vertex that has most.
    var mostUsed: Int { Int(used.max() ?? 0) }

    /// The joints of every vertex, `count` each, filled up with 0.
    func joints(_ count: Int) -> [UInt16] { cut(joint, count, 0) }
    /// The weights of every vertex, `count` each, filled up with 0.
    func weights(_ count: Int) -> [Float] { cut(weight, count, 0).map { Float($0) } }

    private func cut<Value>(_ values: [Value], _ count: Int, _ filling: Value) -> [Value] {
        if count == limit { return values }
        var result: [Value] = []
        result.reserveCapacity(vertices * count)
        for vertex in 0..<vertices {
            for place in 0..<count { result.append(place < limit ? values[vertex * limit + place] : filling) }
        }
        return result
    }
}

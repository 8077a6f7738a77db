/// The indices of one input among the interleaved ones of a primitive.
struct IndexStream {
    struct Faults {
        /// The first one too large.
        var outOfBounds: Int32?
        var outOfBoundsCount = 0
        var negative: Int32?
        var negativeCount = 0

        mutating func add(_ index: Int32) {
            if index < 0 {
                negative = negative ?? index
                negativeCount += 1
            } else {
                outOfBounds = outOfBounds ?? index
                outOfBoundsCount += 1
            }
        }
    }

    private let indices: [Int32]
    private let offset: Int
    private let stride: Int
    private let end: Int

    /// - Parameter corners: Corners that belong to a primitive; what is behind them is not looked at.
    init(_ indices: [Int32], offset: Int, stride: Int, corners: Int) {
        self.indices = indices
        self.offset = offset
        self.stride = stride
        end = min(indices.count, corners * stride)
    }

    func check(limit: Int) -> Faults {
        var faults = Faults()
        let limit = UInt32(clamping: limit)
        indices.withUnsafeBufferPointer { indices in
            var at = offset
            while at < end {
                if UInt32(bitPattern: indices[at]) >= limit { faults.add(indices[at]) }
                at += stride
            }
        }
        return faults
    }

    /// Checks against `used` and marks what is used.
    func mark(_ used: inout [Bool]) -> Faults {
        var faults = Faults()
        let limit = UInt32(clamping: used.count)
        used.withUnsafeMutableBufferPointer { used in
            indices.withUnsafeBufferPointer { indices in
                var at = offset
                while at < end {
                    let index = UInt32(bitPattern: indices[at])
                    if index < limit { used[Int(index)] = true } else { faults.add(indices[at]) }
                    at += stride
                }
            }
        }
        return faults
    }

    /// Faces that have one index twice in a row (the last and the first corner are in a row, too): they have no area.
    ///
    /// - Parameter rings: Corners of each face; empty for triangles.
    func degenerateFaces(rings: [Int32]) -> Int {
        indices.withUnsafeBufferPointer { indices in
            rings.isEmpty ? degenerateTriangles(indices) : degenerateRings(rings, indices)
        }
    }

    private func degenerateTriangles(_ indices: UnsafeBufferPointer<Int32>) -> Int {
        var count = 0
        var at = offset
        while at + 2 * stride < end {
            let (first, second, third) = (indices[at], indices[at + stride], indices[at + 2 * stride])
            if first == second || second == third || third == first { count += 1 }
            at += 3 * stride
        }
        return count
    }

    private func degenerateRings(_ rings: [Int32], _ indices: UnsafeBufferPointer<Int32>) -> Int {
        var count = 0
        var at = offset
        for ring in rings where ring > 0 {
            let last = at + (Int(ring) - 1) * stride
            guard last < end else { break }
            var before = indices[last]
            var isDegenerate = false
            for corner in Swift.stride(from: at, through: last, by: stride) {
                isDegenerate = isDegenerate || indices[corner] == before
                before = indices[corner]
            }
            if isDegenerate { count += 1 }
            at = last + stride
        }
        return count
    }
}

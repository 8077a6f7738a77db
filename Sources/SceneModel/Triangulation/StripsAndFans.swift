/// Triangle strips and fans as single triangles.
public enum StripsAndFans {
    /// Unrolls a strip; every other triangle is turned round, so that all are wound as the first.
    ///
    /// - Parameters:
    ///   - corners: For each corner, the index of its position.
    ///   - output: Receives `corners.count − 2` triples of places in `corners`; nothing for fewer than three corners.
    /// - Returns: Degenerate are those that have a position twice; strips use them to turn corners.
    public static func unroll(strip corners: Span<Int32>, into output: inout [Int32]) -> Triangulation {
        unroll(corners, into: &output) { place in
            place & 1 == 0 ? (place, place + 1, place + 2) : (place + 1, place, place + 2)
        }
    }

    /// Unrolls a fan: each triangle has the first corner; else as ``unroll(strip:into:)``.
    public static func unroll(fan corners: Span<Int32>, into output: inout [Int32]) -> Triangulation {
        unroll(corners, into: &output) { (0, $0 + 1, $0 + 2) }
    }

    @inline(__always)
    private static func unroll(
        _ corners: Span<Int32>, into output: inout [Int32], _ triangle: (Int) -> (Int, Int, Int)
    ) -> Triangulation {
        var done = Triangulation()
        guard corners.count >= 3 else { return done }
        done.triangles = corners.count - 2
        for place in 0..<done.triangles {
            let (a, b, c) = triangle(place)
            if corners[a] == corners[b] || corners[b] == corners[c] || corners[c] == corners[a] { done.degenerate += 1 }
            output.append(Int32(truncatingIfNeeded: a))
            output.append(Int32(truncatingIfNeeded: b))
            output.append(Int32(truncatingIfNeeded: c))
        }
        return done
    }
}

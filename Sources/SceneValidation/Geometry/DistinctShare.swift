import SceneModel

/// Of the positions in use, how many differ. Of very many a sample is taken by their hashes, so that equal ones are in
/// it together; which takes the same memory for any mesh.
enum DistinctShare {
    private static let sampleSize = 1 << 15

    /// 0...1.
    static func of(_ positions: Mesh.Stream, _ used: IndexMarks) -> Double {
        let every = UInt64(max(1, used.corners / sampleSize))
        var seen: Set<UInt64> = []
        var sampled = 0
        for index in 0..<positions.count where used[index] {
            var hash = ContentHash()
            for lane in 0..<3 { hash.add(positions.value(index, lane: lane).bitPattern) }
            guard hash.low % every == 0 else { continue }
            sampled += 1
            // Made for it, all may fall into the sample.
            if seen.count < 4 * sampleSize { seen.insert(hash.low) }
        }
        return sampled == 0 ? 1 : Double(seen.count) / Double(sampled)
    }
}

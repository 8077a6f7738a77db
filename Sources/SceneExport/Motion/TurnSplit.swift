/// Cuts turns that are wider than what engines turn the right way round.
struct TurnSplit {
    private let motion: NodeMotion

    /// Degrees between two keys that are certainly turned the right way round.
    private static let limit = 120.0
    /// Keys that turns may add to one segment.
    private static let keyLimit = 4096

    init(of motion: NodeMotion) {
        self.motion = motion
    }

    /// The inner ends of the equal shares into which a turn is cut.
    static func shares(ofTurn degrees: Double) -> [Double] {
        let pieces = min(Double(keyLimit), (degrees / limit).rounded(.up))
        guard pieces > 1 else { return [] }
        return (1..<Int(pieces)).map { Double($0) / pieces }
    }

    /// With times between those where a rotation turns further than halfway round.
    ///
    /// - Parameter mayAdd: Whether so many more are allowed; without the rest once it says no.
    func times(_ times: [Double], _ mayAdd: (Int) -> Bool) -> [Double] {
        guard let first = times.first else { return [] }
        var result = [first]
        for (start, end) in zip(times, times.dropFirst()) {
            let shares = Self.shares(ofTurn: motion.turn(from: start, to: end))
            guard mayAdd(shares.count + 1) else { return result }
            for share in shares {
                result.append(start + (end - start) * share)
            }
            result.append(end)
        }
        return result
    }
}

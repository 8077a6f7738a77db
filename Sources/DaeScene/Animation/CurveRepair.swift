/// Makes a curve's parts fit one another, and notes what did not.
struct CurveRepair {
    private(set) var times: [Double]
    private(set) var values: [Double]
    private(set) var width: Int
    private(set) var interpolations: AnimationInterpolations
    private(set) var incoming: TangentList?
    private(set) var outgoing: TangentList?
    var issues: [AnimationCurve.Issue] = []
    /// As the document has them: tangents are laid out for these.
    private let writtenKeys: Int

    init(times: [Double], values: [Double], width: Int, interpolations: AnimationInterpolations) {
        self.times = times
        self.values = values
        self.width = width
        self.interpolations = interpolations
        writtenKeys = times.count
    }

    mutating func settleCounts() {
        let keys = width > 0 ? Swift.min(times.count, values.count / width) : 0
        if width < 1 || values.count / width != times.count || values.count % width != 0 {
            issues.append(.countMismatch(times: times.count, values: values.count, width: width))
        }
        width = Swift.max(1, width)
        if keys < times.count { times.removeLast(times.count - keys) }
    }

    mutating func settleTangents(_ tangents: AnimationTangents) {
        let needing = AnimationInterpolation.allCases.filter { $0.needsTangents && interpolations.contains($0) }
        guard !needing.isEmpty, times.count > 1 else { return }
        incoming = list(tangents.incoming, stride: tangents.incomingStride)
        outgoing = list(tangents.outgoing, stride: tangents.outgoingStride)
        guard let incoming, let outgoing else {
            issues.append(contentsOf: needing.map { .missingTangents($0) })
            interpolations = interpolations.mapped { $0.needsTangents ? .linear : $0 }
            return
        }
        if incoming.layout == .values || outgoing.layout == .values { issues.append(.tangentLayout1D) }
    }

    private mutating func list(_ numbers: [Double], stride: Int?) -> TangentList? {
        // A layout is recognised by the keys as written; where that fails, by those that are left.
        let found =
            TangentList(numbers, stride: stride, keys: writtenKeys, width: width)
            ?? TangentList(numbers, stride: stride, keys: times.count, width: width)
        if let found,
            !numbers.count.isMultiple(of: writtenKeys)
                || numbers.count / writtenKeys != found.layout.stride(width: width)
        {
            let issue = AnimationCurve.Issue.tangentCountMismatch(
                numbers: numbers.count, keys: writtenKeys, width: width)
            if !issues.contains(issue) { issues.append(issue) }
        }
        return found
    }

    mutating func settleTimes() {
        guard !areTimesPlain else { return }
        note(.init(where: times.indices) { !times[$0].isFinite }) { .timeNotFinite(index: $0, count: $1) }
        note(.init(where: times.indices) { times[$0] < 0 && times[$0].isFinite }) {
            .timeNegative(index: $0, count: $1)
        }
        note(.init(where: times.indices.dropFirst()) { times[$0] <= times[$0 - 1] }) {
            .timeNotIncreasing(index: $0, count: $1)
        }
        let sound = times.allSatisfy(\.isFinite) && zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
        if !sound { sort() }
        if times.isEmpty { issues.append(.empty) }
    }

    /// Whether nothing is wrong with the times.
    private var areTimesPlain: Bool {
        times.withUnsafeBufferPointer { times in
            guard var last = times.first, last >= 0 else { return false }
            for time in times.dropFirst() {
                guard time > last else { return false }
                last = time
            }
            return last.isFinite
        }
    }

    private mutating func sort() {
        let order = times.indices.filter { times[$0].isFinite }
            .sorted { (times[$0], $0) < (times[$1], $1) }
        values = values.rows(order, width: width)
        incoming = incoming?.reordered(order)
        outgoing = outgoing?.reordered(order)
        switch interpolations {
        case .all: break
        case .each: interpolations = .each(order.map { interpolations[$0] })
        }
        times = order.map { times[$0] }
    }

    /// The first of some keys, and how many they are.
    private struct Tally {
        var first: Int?
        var count = 0

        init(where keys: some Sequence<Int>, _ holds: (Int) -> Bool) {
            for key in keys where holds(key) {
                first = first ?? key
                count += 1
            }
        }
    }

    private mutating func note(_ tally: Tally, _ issue: (Int, Int) -> AnimationCurve.Issue) {
        if let first = tally.first { issues.append(issue(first, tally.count)) }
    }
}

// COLLADA knows no back faces, so nobody saw which way round its triangles are written; engines leave out those that are
// the wrong way round.

import SceneModel

/// Turns triangles the way that they are seen from.
struct Winding {
    private let records: VertexRecords
    private let position: Int?
    private let normal: Int?
    private let influences: Range<Int>
    private let weights: Int
    private let turned: [Bool]
    /// Whether the bind shape has turned them already.
    private let isMirrored: Bool

    /// Triangles that are looked at before all are.
    private static let sampleCount = 256
    /// Of the triangles that have a direction, the share whose normals must oppose it.
    private static let share = 0.95

    /// - Parameter turned: As ``ExportRig/turned(_:)`` has it.
    init(of records: VertexRecords, _ layout: VertexLayout, _ deformation: Deformation, _ turned: [Bool]) {
        self.records = records
        position = layout.attributes.first { $0.kind == .position }?.start
        normal = layout.attributes.first { $0.kind == .normal }?.start
        influences = layout.width..<layout.width + deformation.influences
        weights = deformation.influences
        self.turned = turned
        isMirrored = deformation.bindShape.isMirroring
    }

    /// Turns what nearly all given normals oppose, and what the pose of a skin mirrors.
    ///
    /// - Returns: How many triangles were turned for their normals.
    func settle(_ indices: inout [UInt32]) -> Int {
        let opposes = areOpposed(indices)
        guard opposes || !turned.isEmpty else { return 0 }
        for start in stride(from: 0, to: indices.count - 2, by: 3) where isTurned(indices, start) != opposes {
            indices.swapAt(start + 1, start + 2)
        }
        return opposes ? indices.count / 3 : 0
    }

    // MARK: - Poses

    /// Whether most corners of a triangle are moved by joints that mirror them.
    private func isTurned(_ indices: [UInt32], _ start: Int) -> Bool {
        guard !turned.isEmpty else { return false }
        return (0..<3).count { isTurned(Int(indices[start + $0]) * records.width) } >= 2
    }

    private func isTurned(_ record: Int) -> Bool {
        guard !influences.isEmpty else { return turned.last == true }
        var sum: Float = 0
        for place in influences {
            let joint = Int(records.words[record + place])
            let weight = Float(bitPattern: records.words[record + place + weights])
            sum += turned[min(joint, turned.count - 1)] ? weight : -weight
        }
        return sum > 0
    }

    // MARK: - Normals

    private func areOpposed(_ indices: [UInt32]) -> Bool {
        guard let position, let normal else { return false }
        let triangles = indices.count / 3
        let step = max(1, triangles / Self.sampleCount)
        return areOpposed(indices, every: step, position, normal)
            && (step == 1 || areOpposed(indices, every: 1, position, normal))
    }

    private func areOpposed(_ indices: [UInt32], every step: Int, _ position: Int, _ normal: Int) -> Bool {
        var (along, against) = (0, 0)
        for start in stride(from: 0, to: indices.count - 2, by: 3 * step) {
            let corners = (0..<3).map { Int(indices[start + $0]) * records.width }
            let first = vector(corners[0] + position)
            let side = (vector(corners[1] + position) - first).crossed(vector(corners[2] + position) - first)
            let normals = corners.reduce(SIMD3.zero) { $0 + vector($1 + normal) }
            let sense = (side * normals).sum()
            if sense > 0 { along += 1 }
            if sense < 0 { against += 1 }
        }
        let opposed = isMirrored ? along : against
        return opposed > 0 && Double(opposed) >= Self.share * Double(along + against)
    }

    private func vector(_ start: Int) -> SIMD3<Double> {
        let words = records.words
        return SIMD3(
            Double(Float(bitPattern: words[start])), Double(Float(bitPattern: words[start + 1])),
            Double(Float(bitPattern: words[start + 2])))
    }
}

import DaeCollada
import DaeDiagnostics
import DaeScene

/// The rules over one skin, beside those that reading reports.
struct SkinRules {
    /// By which a matrix's last row may miss 0 0 0 1.
    private static let tolerance = 1e-6

    func check(_ unit: SkinUnit, _ log: inout FindingLog) {
        checkBindShape(unit, &log)
        checkRows(unit, &log)
        checkInfluences(unit, &log)
    }

    private func checkBindShape(_ unit: SkinUnit, _ log: inout FindingLog) {
        guard let matrix = unit.bindShape, matrix.inverse == nil else { return }
        log.add(
            .skinBindShapeNonInvertible, at: unit.place(of: .bindShape),
            "the bind shape matrix has no inverse: it flattens the mesh")
    }

    /// Reading takes the last row as 0 0 0 1.
    private func checkRows(_ unit: SkinUnit, _ log: inout FindingLog) {
        if let matrix = unit.bindShape, !isAffine(matrix) {
            report("the bind shape matrix", matrix, at: unit.place(of: .bindShape), &log)
        }
        var invalid = Tally()
        for (joint, matrix) in unit.inverseBinds.prefix(unit.joints).enumerated() where !isAffine(matrix) {
            invalid.add(joint)
        }
        guard invalid.count > 0 else { return }
        report(
            "the inverse bind matrix of joint \(invalid.first), the first of \(invalid.count) such,",
            unit.inverseBinds[invalid.first], at: unit.place(of: .joints), &log)
    }

    private func report(
        _ what: String, _ matrix: Matrix4, at place: @autoclosure () -> Place, _ log: inout FindingLog
    ) {
        let row = [matrix.columns.0.w, matrix.columns.1.w, matrix.columns.2.w, matrix.columns.3.w]
        let text = row.map { "\($0)" }.joined(separator: " ")
        log.add(
            .skinMatrixNonAffine, at: place(), "\(what) ends in \(text); expected 0 0 0 1, and read so",
            arguments: [.init("row", text)])
    }

    /// Numbers that are not finite are reported as such.
    private func isAffine(_ matrix: Matrix4) -> Bool {
        let row = SIMD4(matrix.columns.0.w, matrix.columns.1.w, matrix.columns.2.w, matrix.columns.3.w - 1)
        return (0..<4).allSatisfy { !(abs(row[$0]) > Self.tolerance) }
    }

    // MARK: - Influences

    private func checkInfluences(_ unit: SkinUnit, _ log: inout FindingLog) {
        let influences = unit.influences
        var bare = Tally()
        for (vertex, count) in influences.counts.enumerated() where count == 0 { bare.add(vertex) }
        if bare.count > 0 {
            log.add(
                .skinVertexUnweighted, at: unit.place(of: .weights),
                "\(bare.count) of \(influences.counts.count) vertices have no influence; the first is vertex \(bare.first)",
                arguments: [
                    .init("count", "\(bare.count)"), .init("vertices", "\(influences.counts.count)"),
                    .init("first", "\(bare.first)"),
                ])
        }
        let repeated = repeats(in: influences, joints: unit.joints)
        guard repeated.count > 0 else { return }
        log.add(
            .skinJointRepeated, at: unit.place(of: .weights),
            "\(repeated.count) of \(influences.counts.count) vertices name a joint twice; the first is vertex \(repeated.first)",
            arguments: [
                .init("count", "\(repeated.count)"), .init("vertices", "\(influences.counts.count)"),
                .init("first", "\(repeated.first)"),
            ])
    }

    /// Each joint remembers the last vertex that named it, so no list of a vertex is searched.
    private func repeats(in influences: SkinInfluences, joints: Int) -> Tally {
        var repeated = Tally()
        var last = [Int32](repeating: -1, count: joints)
        var reported = -1
        influences.forEach(joints: joints) { vertex, joint, weight in
            switch joint {
            case .bindShape: break
            case .joint(let joint):
                // Exporters fill up with a joint of weight 0.
                guard weight != 0 else { return }
                if last[joint] == Int32(clamping: vertex), reported != vertex {
                    reported = vertex
                    repeated.add(vertex)
                }
                last[joint] = Int32(clamping: vertex)
            }
        }
        return repeated
    }
}

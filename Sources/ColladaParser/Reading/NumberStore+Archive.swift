import SceneModel

extension NumberStore: NumberArchive {
    /// Blocks in memory of what is had back only now and then.
    static let archiveBlocks = 2

    func put<Number: BitwiseCopyable>(_ numbers: [Number]) -> ArchivedRun {
        let run = ArchivedRun(start: count, count: numbers.count)
        append(numbers)
        return run
    }

    func reals(_ run: ArchivedRun) -> [Double]? {
        var numbers: [Double] = []
        return read(run.count, at: run.start, into: &numbers) ? numbers : nil
    }

    func integers(_ run: ArchivedRun) -> [Int32]? {
        var numbers: [Int32] = []
        return read(run.count, at: run.start, into: &numbers) ? numbers : nil
    }

    /// Puts a mesh away, and the positions that its primitives use.
    func archive(_ mesh: Mesh, positions: [Double]) -> (mesh: ArchivedMesh, positions: StoredPositions?) {
        let archived = ArchivedMesh(mesh, in: self, reals: { put($0) }, integers: { put($0) })
        let run = archived.run(holding: positions, of: mesh) ?? put(positions)
        return (archived, self.positions(run))
    }

    private func positions(_ run: ArchivedRun) -> StoredPositions? {
        let count = run.count / 3
        guard count > 0 else { return nil }
        return StoredPositions(count: count) { positions, values in
            values.removeAll(keepingCapacity: true)
            let start = run.start + positions.lowerBound * 3 * MemoryLayout<Double>.stride
            return self.read(3 * positions.count, at: start, into: &values)
        }
    }
}

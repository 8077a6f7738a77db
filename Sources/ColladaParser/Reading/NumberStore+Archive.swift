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

    func archive(_ influences: SkinInfluences) -> ArchivedInfluences {
        ArchivedInfluences(influences, in: self, reals: { put($0) }, integers: { put($0) })
    }

    func positions(_ run: ArchivedRun) -> StoredPositions? {
        let count = run.count / 3
        guard count > 0 else { return nil }
        return StoredPositions(count: count) { positions, values in
            values.removeAll(keepingCapacity: true)
            let start = run.start + positions.lowerBound * 3 * MemoryLayout<Double>.stride
            return self.read(3 * positions.count, at: start, into: &values)
        }
    }

    // MARK: - Numbers of a mesh that were put here as they were decoded

    /// Where the reals of a source lie; what is still in memory is put away.
    func run(of array: ColladaDocument.Source.Values) -> ArchivedRun {
        switch array {
        case .stored(let stored): ArchivedRun(start: stored.start, count: stored.count)
        case .reals(let values): put(values)
        case .names, .idrefs, .sidrefs, .none: .none
        }
    }

    /// Where the indices of a primitive lie; what is still in memory is put away.
    func run(ofIndices primitive: ColladaDocument.Primitive) -> ArchivedRun {
        guard let first = primitive.stored.first?.start else { return put(primitive.indices) }
        var end = first
        for list in primitive.stored {
            guard list.start == end else { return gathered(primitive.stored) }
            end += list.count * MemoryLayout<Int32>.stride
        }
        return ArchivedRun(start: first, count: primitive.indexCount)
    }

    /// Lists that do not lie one behind the other, put where they do.
    private func gathered(_ lists: [StoredNumbers]) -> ArchivedRun {
        var all: [Int32] = []
        // What is stored no more ends the reading of the document.
        for list in lists { _ = read(list.count, at: list.start, into: &all) }
        return put(all)
    }
}

extension ArchivedRun {
    fileprivate static var none: ArchivedRun { ArchivedRun(start: 0, count: 0) }
}

/// The influences of a skin whose numbers lie outside of the scene.
package struct ArchivedInfluences: Sendable, Equatable {
    /// But for its numbers.
    private let outline: SkinInfluences
    private let counts: ArchivedRun
    private let indices: ArchivedRun
    private let weights: ArchivedRun
    private let archive: any NumberArchive

    /// - Parameters:
    ///   - reals: Puts numbers into the archive, as `integers` does.
    package init(
        _ influences: SkinInfluences, in archive: any NumberArchive, reals: ([Double]) -> ArchivedRun,
        integers: ([Int32]) -> ArchivedRun
    ) {
        self.archive = archive
        (counts, indices) = (integers(influences.counts), integers(influences.indices))
        weights = reals(influences.weights.packed)
        outline = SkinInfluences(
            counts: [], indices: [], stride: influences.stride, jointOffset: influences.jointOffset,
            weightOffset: influences.weightOffset, weights: NumberList([]))
    }

    /// Indices in all: at least one for each influence.
    package var indexCount: Int { indices.count }

    /// `nil` where the numbers cannot be read.
    package func loaded() -> SkinInfluences? {
        guard let counts = archive.integers(counts), let indices = archive.integers(indices),
            let weights = archive.reals(weights)
        else { return nil }
        var influences = outline
        (influences.counts, influences.indices, influences.weights) = (counts, indices, NumberList(weights))
        return influences
    }

    package static func == (left: ArchivedInfluences, right: ArchivedInfluences) -> Bool {
        left.loaded() == right.loaded()
    }
}

extension NumberList {
    /// One number behind the other.
    fileprivate var packed: [Double] {
        if offset == 0, stride == 1, count == values.count { return values }
        return (0..<count).map { self[$0] }
    }
}

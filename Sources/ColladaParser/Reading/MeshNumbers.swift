import SceneModel

/// The numbers of a mesh that is at its end, for what looks at them: less than a stream, all of which would be copied.
struct MeshNumbers {
    let geometry: NumberStore
    /// Positions in use of all geometries so far.
    let positions: NumberStore
    /// Where numbers are had back from; `nil` where they are forgotten with their geometry.
    let archive: NumberStore?

    /// The positions of a mesh that all lie in one array, as they are stored; `nil` where they are not kept.
    func positions(_ run: StoredNumbers) -> StoredPositions? {
        archive?.positions(ArchivedRun(start: run.start, count: run.count))
    }
}

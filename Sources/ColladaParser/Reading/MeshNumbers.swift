import SceneModel
import XMLReader

/// The numbers of a mesh that is at its end, for what looks at them: less than a stream, all of which would be copied.
struct MeshNumbers {
    let geometry: NumberStore
    /// Positions in use of all geometries so far.
    let positions: NumberStore
    /// Positions in use, by indices that passed; none before any did.
    let used: UsedPositions
    /// By the bytes at which their primitives begin.
    private let watches: RisingTable<IndexWatch>
    /// Where numbers are had back from; `nil` where they are forgotten with their geometry.
    private let archive: NumberStore?

    init(
        geometry: NumberStore, positions: NumberStore, used: UsedPositions, watches: RisingTable<IndexWatch>,
        archive: NumberStore?
    ) {
        self.geometry = geometry
        self.positions = positions
        self.used = used
        self.watches = watches
        self.archive = archive
    }

    /// What was noted of the indices of the primitive that begins at a place.
    func watch(at position: XMLPosition) -> IndexWatch? { watches[Int(position.byte)] }

    /// The positions of a mesh that all lie in one array, as they are stored; `nil` where they are not kept.
    func positions(_ run: StoredNumbers) -> StoredPositions? {
        guard let archive, let start = run.start else { return nil }
        return archive.positions(ArchivedRun(start: start, count: run.count))
    }
}

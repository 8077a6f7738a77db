/// A mesh with what is known of it once it was read.
public struct Geometry: Sendable, Equatable {
    public var id: String?
    public var name: String?
    public var measure: MeshMeasure
    /// Its positions, x y z after x y z, in the document's units and axes: one for each element of the source.
    public var positions: [Double]
    /// The same where only figures were read, and ``positions`` is empty.
    public var storedPositions: StoredPositions?
    /// Which of the positions its primitives use: a bit each, those of the first in the lowest; empty where all are used.
    package var usedPositions: [UInt64] = []
    /// `nil` where only figures were read, and for what is no mesh.
    public var mesh: Mesh?
    /// The same where arrays lie outside of the scene, and ``mesh`` is `nil`.
    public var archivedMesh: ArchivedMesh?
    /// For a convex mesh that is the hull of another geometry: the one at the end of the chain that has points.
    public var hullOf: SceneIndex<Geometry>?
    /// Which sides of its faces are seen, by what exporters say of the mesh; `nil` where nothing is said, and where only
    /// figures were read. A material may say it, too.
    public var sides: Material.Sides?

    @inlinable public init(
        id: String?, name: String?, measure: MeshMeasure, positions: [Double],
        storedPositions: StoredPositions? = nil, mesh: Mesh? = nil, archivedMesh: ArchivedMesh? = nil,
        hullOf: SceneIndex<Geometry>? = nil, sides: Material.Sides? = nil
    ) {
        self.id = id
        self.name = name
        self.measure = measure
        self.positions = positions
        self.storedPositions = storedPositions
        self.mesh = mesh
        self.archivedMesh = archivedMesh
        self.hullOf = hullOf
        self.sides = sides
    }

    /// Whether a primitive uses a position.
    func uses(_ position: Int) -> Bool {
        guard !usedPositions.isEmpty else { return true }
        guard position >> 6 < usedPositions.count else { return false }
        return usedPositions[position >> 6] >> UInt64(position & 63) & 1 == 1
    }

    /// ``positions``, or where only figures were read ``storedPositions``; `nil` where those cannot be read.
    var readPositions: [Double]? {
        guard let storedPositions else { return positions }
        return storedPositions.values
    }
}

/// A primitive as engines take it: one index a vertex, equal vertices merged.
struct PackedPrimitive {
    enum Mode: Int {
        case lines = 1
        case lineStrip = 3
        case triangles = 4
    }
    /// Numbers of one attribute, vertex after vertex.
    struct Attribute {
        let name: String
        /// Numbers of one element, 2...4.
        let width: Int
        fileprivate let start: Int
        fileprivate let records: VertexRecords

        init(name: String, width: Int, start: Int, of records: VertexRecords) {
            self.name = name
            self.width = width
            self.start = start
            self.records = records
        }

        /// Those of some vertices; they take the place of what is in the array.
        func put(_ vertices: Range<Int>, into values: inout [Float]) {
            values.removeAll(keepingCapacity: true)
            records.append(vertices, from: start, width, to: &values) { Float(bitPattern: $0) }
        }
    }
    /// What the targets do to one attribute.
    struct TargetNumbers {
        let name: String
        /// One a target.
        let differences: [Attribute]
    }
    let mode: Mode
    let attributes: [Attribute]
    /// Four joints a vertex, in sets; empty without a skin.
    let joints: [[UInt16]]
    /// As many as ``joints``.
    let weights: [[Float]]
    /// Differences of positions for each morph target.
    let targets: [Attribute]
    /// Differences of other attributes that targets change.
    let targetAttributes: [TargetNumbers]
    /// Targets whose colours and texture coordinates are left out, for their corners are others.
    let targetsWithoutTwin: Int
    /// Each list is drawn by itself: more than one only of line strips.
    let indices: [[UInt32]]
    let vertexCount: Int

    /// Differences that a vertex has, of three numbers each.
    var targetVectors: Int {
        targets.count + targetAttributes.reduce(0) { $0 + $1.differences.reduce(0) { $0 + $1.width } } / 3
    }
}

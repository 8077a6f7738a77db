// The words of a vertex are its attributes as the format has them: so vertices are equal exactly when nobody could
// tell them apart, and the merged records are the output.

import DaeScene

/// Makes primitives of a mesh into what engines take.
struct MeshPacker {
    private let mesh: Mesh
    private let deformation: Deformation
    /// What a morph blends the mesh with.
    private let targets: [ShapeTarget]
    /// Which joints mirror what they move; empty where none does.
    private let turned: [Bool]
    /// The mesh's id or name, for the report.
    private let place: String?
    private let conventions: ExportConventions
    private let budget: ConversionBudget
    private var columns: AttributeColumns
    private var cutter: PolygonCutter
    private var twins = TargetTwins()

    init(
        _ mesh: Mesh, deformation: Deformation, targets: [ShapeTarget], turned: [Bool], place: String?,
        conventions: ExportConventions, _ budget: ConversionBudget = ConversionBudget()
    ) {
        self.mesh = mesh
        self.deformation = deformation
        self.targets = targets
        self.turned = turned
        self.place = place
        self.budget = budget
        self.conventions = conventions
        columns = AttributeColumns(of: mesh, conventions)
        cutter = PolygonCutter(of: mesh)
    }

    /// Corners that are gathered at a time.
    private static let pieceSize = 4096
    /// Words of the vertices that are gathered at a time: those of very many targets are gathered fewer at a time.
    private static let pieceWords = 1 << 22
    /// Line strips that are drawn one by one; more of them are written as single lines.
    private static let stripLimit = 64

    /// - Returns: `nil` for a primitive that has nothing to draw.
    mutating func pack(
        _ index: Int, using triangulator: inout Triangulator, _ report: inout FidelityReport
    ) throws(SceneExportError) -> PackedPrimitive? {
        let primitive = mesh.primitives[index]
        guard let layout = VertexLayout(primitive, of: mesh) else { return nil }
        report.add(.dropped, .customInputs, count: layout.unnamed, at: place)
        // What other primitives may ask for again is kept no longer than for those.
        defer { if index == mesh.primitives.count - 1 { columns.removeAll() } }
        switch primitive.kind {
        case .lines:
            let whole = primitive.corners / 2 * 2
            return try pack(index, layout, .lines, 2, &report) { _ in [Array(0..<Int32(clamping: whole))] }
        case .linestrips:
            let strips = strips(of: primitive)
            guard strips.count > Self.stripLimit else {
                return try pack(index, layout, .lineStrip, nil, &report) { _ in strips.map { Array($0) } }
            }
            report.add(.approximated, .lineStrips, count: strips.count, at: place)
            let segments = strips.flatMap { strip in strip.dropLast().flatMap { [$0, $0 + 1] } }
            return try pack(index, layout, .lines, 2, &report) { _ in [segments] }
        case .triangles, .polylist, .polygons, .tristrips, .trifans:
            switch primitive.kind {
            case .polylist, .polygons:
                let polygons = primitive.cornerCounts.count { $0 > 3 }
                report.add(.triangulated, .polygons, count: polygons, at: place)
            case .triangles, .tristrips, .trifans, .lines, .linestrips: break
            }
            var cutter = cutter
            let packed = try pack(index, layout, .triangles, 3, &report) { part in
                [cutter.corners(of: part, using: &triangulator)]
            }
            self.cutter = cutter
            return packed
        }
    }

    /// The corners of each strip.
    private func strips(of primitive: Mesh.Primitive) -> [Range<Int32>] {
        let corners = primitive.corners
        var strips: [Range<Int32>] = []
        var start = 0
        for count in primitive.cornerCounts {
            let end = start + max(0, Int(count))
            guard end <= corners else { break }
            if end - start >= 2 { strips.append(Int32(clamping: start)..<Int32(clamping: end)) }
            start = end
        }
        return strips
    }

    // MARK: - Vertices

    /// - Parameters:
    ///   - index: Into the mesh's primitives.
    ///   - size: Corners of one face, which goes as a whole where one of its positions is missing; `nil` for strips,
    ///     which lose the corner alone.
    ///   - lists: Gives the places of corners in a part of the primitive. Each list of a primitive that is not parted
    ///     is drawn by itself.
    private mutating func pack(
        _ index: Int, _ layout: VertexLayout, _ mode: PackedPrimitive.Mode, _ size: Int?,
        _ report: inout FidelityReport, _ lists: (Mesh.Primitive) -> [[Int32]]
    ) throws(SceneExportError) -> PackedPrimitive? {
        let primitive = mesh.primitives[index]
        let found = try twins.primitives(of: targets, like: index, in: mesh, budget)
        let changed = TargetAttribute.all(layout, of: targets, found, like: index, in: mesh)
        let changedWidth = changed.reduce(0) { $0 + $1.width }
        let targetVectors = deformation.targets.count + changedWidth / 3
        try budget.check(targetVertices: 1, of: targetVectors)
        var gatherer = CornerGatherer(primitive, layout, deformation, mesh, changed, conventions)
        let expected = min(gatherer.positionCount, mesh.primitives[index].corners)
        var merger = RecordMerger(
            width: layout.width + deformation.width + changedWidth, expecting: expected)
        var indices: [[UInt32]] = []
        var lost = 0
        // What targets change hangs on places of corners in all of the primitive.
        var parts = PrimitiveParts(primitive, changed.isEmpty ? .few : .whole)
        while let part = parts.next() {
            gatherer.take(part, &columns)
            for list in lists(part) {
                if mode != .triangles || indices.isEmpty {
                    indices.append([])
                    indices[indices.count - 1].reserveCapacity(mode == .triangles ? parts.triangleCorners : list.count)
                }
                let (list, missing) = gatherer.withoutMissing(list, size)
                lost += missing
                var start = 0
                while start < list.count {
                    let end = min(list.count, start + max(1, min(Self.pieceSize, Self.pieceWords / merger.width)))
                    gatherer.gather(list[start..<end])
                    merger.merge(gatherer.records, of: gatherer.elements, into: &indices[indices.count - 1])
                    start = end
                    try budget.check(targetVertices: merger.count, of: targetVectors)
                }
            }
        }
        report.add(.dropped, .corners, count: lost, at: place)
        indices.removeAll { $0.count < size ?? 2 }
        guard !indices.isEmpty else { return nil }
        report.add(.approximated, .normals, count: gatherer.replacedNormals, at: place)
        report.add(.approximated, .tangents, count: gatherer.guessedSides, at: place)
        report.add(.approximated, .vertexColors, count: gatherer.clampedColors, at: place)
        report.add(.approximated, .textureCoordinateNumbers, count: gatherer.replacedCoordinates, at: place)
        let records = VertexRecords(words: merger.words, width: merger.width, count: merger.count)
        if mode == .triangles, !indices.isEmpty {
            let winding = Winding(of: records, layout, deformation, turned)
            report.add(.approximated, .winding, count: winding.settle(&indices[0]), at: place)
        }
        return PackedPrimitive(
            mode: mode,
            attributes: layout.attributes.map {
                PackedPrimitive.Attribute(kind: $0.kind, start: $0.start, records: records)
            },
            joints: sets(of: records, from: layout.width) { UInt16(truncatingIfNeeded: $0) },
            weights: sets(of: records, from: layout.width + deformation.influences) { Float(bitPattern: $0) },
            targets: deformation.targets.indices.map { target in
                PackedPrimitive.Attribute(
                    kind: .position, start: layout.width + 2 * deformation.influences + 3 * target, records: records)
            },
            targetAttributes: numbers(of: changed, in: records, from: layout.width + deformation.width),
            targetsWithoutTwin: TargetAttribute.withoutTwin(layout, of: targets, found, in: mesh),
            indices: indices, vertexCount: records.count)
    }

    private func numbers(
        of changed: [TargetAttribute], in records: VertexRecords, from start: Int
    ) -> [PackedPrimitive.TargetNumbers] {
        var start = start
        return changed.map { attribute in
            let kind = attribute.attribute.kind
            defer { start += attribute.width }
            return .init(
                kind: kind,
                differences: attribute.values.indices.map {
                    PackedPrimitive.Attribute(
                        kind: kind, start: start + kind.width * $0, records: records)
                })
        }
    }

    /// Four at a time.
    private func sets<Value>(
        of records: VertexRecords, from start: Int, _ value: (UInt32) -> Value
    ) -> [[Value]] {
        stride(from: 0, to: deformation.influences, by: 4).map { records.column(from: start + $0, 4, value) }
    }
}

/// A primitive as engines take it: one index a vertex, equal vertices merged.
package struct PackedPrimitive {
    package enum Mode {
        case lines, lineStrip, triangles
    }
    /// Numbers of one attribute, vertex after vertex.
    package struct Attribute {
        package let kind: VertexAttribute
        fileprivate let start: Int
        fileprivate let records: VertexRecords

        /// Numbers of one element, 2...4.
        package var width: Int { kind.width }

        /// Those of some vertices, one element after the other; they take the place of what is in the array.
        package func put(_ vertices: Range<Int>, into values: inout [Float]) {
            values.removeAll(keepingCapacity: true)
            records.append(vertices, from: start, width, to: &values) { Float(bitPattern: $0) }
        }
    }
    /// What the targets do to one attribute.
    package struct TargetNumbers {
        package let kind: VertexAttribute
        /// One a target.
        package let differences: [Attribute]
    }
    package let mode: Mode
    /// Positions first.
    package let attributes: [Attribute]
    /// Four joints a vertex, into ``PreparedSkin/joints(usesBindShape:)``; one list, or two for eight joints a vertex.
    /// Empty without a skin.
    package let joints: [[UInt16]]
    /// How much each of ``joints`` moves a vertex, in the same order; those of a vertex sum up to 1.
    package let weights: [[Float]]
    /// Differences of positions, one a morph target.
    package let targets: [Attribute]
    /// Differences of other attributes that targets change.
    package let targetAttributes: [TargetNumbers]
    /// Targets whose colours and texture coordinates are left out, for their corners are others.
    let targetsWithoutTwin: Int
    /// From 0, into the vertices. Each list is drawn by itself: more than one only of line strips.
    package let indices: [[UInt32]]
    package let vertexCount: Int

    /// The same with other indices, and of its vertices some in an order of their own.
    ///
    /// - Parameter vertices: Those that are kept, in their new order: at least one.
    package func ordered(_ vertices: [UInt32], indices: [[UInt32]]) -> PackedPrimitive {
        let records = attributes[0].records.ordered(vertices)
        func moved(_ attribute: Attribute) -> Attribute {
            Attribute(kind: attribute.kind, start: attribute.start, records: records)
        }
        func moved<Value>(_ fours: [Value]) -> [Value] {
            vertices.flatMap { vertex in fours[Int(vertex) * 4..<Int(vertex) * 4 + 4] }
        }
        return PackedPrimitive(
            mode: mode, attributes: attributes.map(moved), joints: joints.map(moved), weights: weights.map(moved),
            targets: targets.map(moved),
            targetAttributes: targetAttributes.map {
                TargetNumbers(kind: $0.kind, differences: $0.differences.map(moved))
            }, targetsWithoutTwin: targetsWithoutTwin, indices: indices, vertexCount: vertices.count)
    }

    /// Triangles of several primitives as those of one.
    ///
    /// - Parameter others: Primitives that ``canBeJoined(with:)`` is true of; fewer than 2³² vertices with those of this.
    package func joined(with others: some Collection<PackedPrimitive>) -> PackedPrimitive {
        guard !others.isEmpty else { return self }
        // A vertex that several have is one.
        var merger = RecordMerger(width: attributes[0].records.width)
        var joined: [UInt32] = []
        var places: [UInt32] = []
        for primitive in [self] + others {
            places.removeAll(keepingCapacity: true)
            merger.merge(primitive.attributes[0].records.words, into: &places)
            for list in primitive.indices { joined += list.map { places[Int($0)] } }
        }
        let records = VertexRecords(words: merger.words, width: merger.width, count: merger.count)
        return PackedPrimitive(
            mode: mode,
            attributes: attributes.map { Attribute(kind: $0.kind, start: $0.start, records: records) }, joints: [],
            weights: [], targets: [], targetAttributes: [], targetsWithoutTwin: 0, indices: [joined],
            vertexCount: records.count)
    }

    /// Whether both are triangles with the same attributes, which nothing deforms.
    package func canBeJoined(with other: PackedPrimitive) -> Bool {
        func isPlain(_ primitive: PackedPrimitive) -> Bool {
            primitive.mode == .triangles && primitive.joints.isEmpty && primitive.targets.isEmpty
                && primitive.targetAttributes.isEmpty
        }
        func layout(_ primitive: PackedPrimitive) -> [[Int]] { primitive.attributes.map { [$0.kind.rank, $0.start] } }
        return isPlain(self) && isPlain(other) && layout(self) == layout(other)
            && attributes[0].records.width == other.attributes[0].records.width
    }

    /// Differences that a vertex has, of three numbers each.
    var targetVectors: Int {
        targets.count + targetAttributes.reduce(0) { $0 + $1.differences.reduce(0) { $0 + $1.width } } / 3
    }
}

// COLLADA knows no back faces, so nobody saw which way round its triangles are written; engines leave out those that are
// the wrong way round.

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

    /// - Parameter turned: As ``PreparedSkin/turned`` has it.
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
            let side = (vector(corners[1] + position) - first).cross(vector(corners[2] + position) - first)
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

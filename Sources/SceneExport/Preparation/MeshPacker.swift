// The words of a vertex are its attributes as the file will have them: so vertices are equal exactly when nobody could
// tell them apart, and the merged records are the output.

import SceneModel

/// Makes primitives of a mesh into what engines take.
struct MeshPacker {
    let mesh: Mesh
    let deformation: Deformation
    /// Of a morph whose targets are whole shapes: theirs, in the order of the targets.
    let targets: [Mesh?]
    /// The mesh's id or name, for the report.
    let place: String?

    private var columns = AttributeColumns()

    init(mesh: Mesh, deformation: Deformation, targets: [Mesh?], place: String?) {
        self.mesh = mesh
        self.deformation = deformation
        self.targets = targets
        self.place = place
    }

    /// Corners that are gathered at a time.
    private static let pieceSize = 4096
    /// Line strips that are drawn one by one; more of them are written as single lines.
    private static let stripLimit = 64

    /// - Returns: `nil` for a primitive that has nothing to draw.
    mutating func pack(
        _ index: Int, using triangulator: inout Triangulator, _ report: inout FidelityReport
    ) -> PackedPrimitive? {
        let primitive = mesh.primitives[index]
        guard let layout = VertexLayout(primitive, of: mesh) else { return nil }
        report.add(.dropped, .customInputs, count: layout.unnamed, at: place)
        switch primitive.kind {
        case .lines:
            let whole = primitive.corners / 2 * 2
            return pack(index, layout, .lines, [Array(0..<Int32(clamping: whole))], 2, &report)
        case .linestrips:
            let strips = strips(of: primitive)
            guard strips.count > Self.stripLimit else {
                return pack(index, layout, .lineStrip, strips.map { Array($0) }, nil, &report)
            }
            report.add(.approximated, .lineStrips, count: strips.count, at: place)
            let segments = strips.flatMap { strip in strip.dropLast().flatMap { [$0, $0 + 1] } }
            return pack(index, layout, .lines, [segments], 2, &report)
        case .triangles, .polylist, .polygons, .tristrips, .trifans:
            let cut = mesh.triangles(of: primitive, using: &triangulator)
            switch primitive.kind {
            case .polylist, .polygons:
                let polygons = primitive.cornerCounts.count { $0 > 3 }
                report.add(.triangulated, .polygons, count: polygons, at: place)
            case .triangles, .tristrips, .trifans, .lines, .linestrips: break
            }
            return pack(index, layout, .triangles, [cut.corners], 3, &report)
        }
    }

    /// The corners of each strip.
    private func strips(of primitive: Mesh.Primitive) -> [Range<Int32>] {
        var strips: [Range<Int32>] = []
        var start = 0
        for count in primitive.cornerCounts {
            let end = start + max(0, Int(count))
            guard end <= primitive.corners else { break }
            if end - start >= 2 { strips.append(Int32(clamping: start)..<Int32(clamping: end)) }
            start = end
        }
        return strips
    }

    // MARK: - Vertices

    /// - Parameters:
    ///   - index: Into the mesh's primitives.
    ///   - lists: Places of corners in the primitive.
    ///   - size: Corners of one face, which goes as a whole where one of its positions is missing; `nil` for strips,
    ///     which lose the corner alone.
    private mutating func pack(
        _ index: Int, _ layout: VertexLayout, _ mode: PackedPrimitive.Mode, _ lists: [[Int32]], _ size: Int?,
        _ report: inout FidelityReport
    ) -> PackedPrimitive? {
        let primitive = mesh.primitives[index]
        let normals = layout.hasNormals ? TargetNormals.all(of: targets, like: index, in: mesh) : []
        var gatherer = CornerGatherer(primitive, layout, deformation, &columns, normals)
        var merger = RecordMerger(width: layout.width + deformation.width + 3 * normals.count)
        var indices: [[UInt32]] = []
        var corners = 0
        for list in lists {
            let (list, lost) = gatherer.withoutMissing(list, size)
            report.add(.dropped, .corners, count: lost, at: place)
            var numbers: [UInt32] = []
            numbers.reserveCapacity(list.count)
            var start = 0
            while start < list.count {
                let end = min(list.count, start + Self.pieceSize)
                gatherer.gather(list[start..<end])
                merger.merge(gatherer.records, of: gatherer.elements, into: &numbers)
                start = end
            }
            corners += list.count
            if numbers.count >= (size ?? 2) { indices.append(numbers) }
        }
        guard !indices.isEmpty else { return nil }
        report.add(.approximated, .normals, count: gatherer.replacedNormals, at: place)
        report.add(.approximated, .tangents, count: gatherer.guessedSides, at: place)
        report.add(.approximated, .vertexColors, count: gatherer.clampedColors, at: place)
        return PackedPrimitive(
            mode: mode, attributes: layout.attributes.map { attribute(of: merger, $0) },
            joints: sets(of: merger, from: layout.width) { UInt16(truncatingIfNeeded: $0) },
            weights: sets(of: merger, from: layout.width + deformation.influences) { Float(bitPattern: $0) },
            targets: deformation.targets.indices.map { target in
                floats(of: merger, from: layout.width + 2 * deformation.influences + 3 * target, 3)
            },
            targetNormals: normals.indices.map { target in
                floats(of: merger, from: layout.width + deformation.width + 3 * target, 3)
            },
            indices: indices, vertexCount: merger.count, material: primitive.material,
            texcoordSets: layout.texcoordSets)
    }

    private func attribute(of merger: RecordMerger, _ attribute: VertexLayout.Attribute) -> PackedPrimitive.Attribute {
        PackedPrimitive.Attribute(
            name: attribute.kind.name, width: attribute.width,
            values: floats(of: merger, from: attribute.start, attribute.width))
    }

    private func floats(of merger: RecordMerger, from start: Int, _ width: Int) -> [Float] {
        column(of: merger, from: start, width) { Float(bitPattern: $0) }
    }

    /// Four at a time.
    private func sets<Value>(
        of merger: RecordMerger, from start: Int, _ value: (UInt32) -> Value
    ) -> [[Value]] {
        stride(from: 0, to: deformation.influences, by: 4).map { column(of: merger, from: start + $0, 4, value) }
    }

    private func column<Value>(
        of merger: RecordMerger, from start: Int, _ width: Int, _ value: (UInt32) -> Value
    ) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(merger.count * width)
        merger.words.withUnsafeBufferPointer { words in
            var record = start
            for _ in 0..<merger.count {
                for word in record..<record + width { values.append(value(words[word])) }
                record += merger.width
            }
        }
        return values
    }
}

import DaeCore
import DaeScene

/// Makes records of corners, part by part of a primitive: the words of every attribute as the format has them.
struct CornerGatherer {
    /// Of the corners gathered last.
    private(set) var records: [UInt32] = []
    /// Corners whose normal had no direction.
    private(set) var replacedNormals = 0
    /// Corners whose tangent came without a bitangent.
    private(set) var guessedSides = 0
    private(set) var clampedColors = 0
    /// Corners whose texture coordinates were no numbers.
    private(set) var replacedCoordinates = 0

    /// Of the corners gathered last, which elements their positions are.
    private(set) var elements: [Int32] = []

    /// Of the part that corners are gathered of.
    private var indices: NumberArray<Int32> = []
    private let stride: Int
    private var sources: [Source] = []
    private let tangents: (attribute: VertexLayout.Attribute, reader: StreamReader)?
    private let binormal: (reader: StreamReader, offset: Int)?
    private let deformation: Deformation
    private let positionOffset: Int
    /// Which of the sources has the positions.
    private let positions: Int?
    private let normals: (reader: StreamReader, offset: Int)?
    private let width: Int
    private let attributeWidth: Int
    /// An attribute, and its elements that the corners of the part at hand lead to.
    private struct Source {
        let attribute: VertexLayout.Attribute
        /// Elements that the stream has.
        let count: Int
        var elements = Elements.none
    }

    private enum Elements {
        /// No part is at hand.
        case none
        /// From an element on; they are looked up in less memory than all.
        case few(AttributeColumn, first: Int)
        case all(AttributeColumn)

        var column: (AttributeColumn, first: Int)? {
            switch self {
            case .none: nil
            case .few(let column, let first): (column, first)
            case .all(let column): (column, 0)
            }
        }
    }

    /// For directions across a surface.
    private let normalMatrix: Matrix4?
    private let moves: Matrix4?
    private let conventions: ExportConventions
    private let targetAttributes: [(changed: TargetAttribute, base: StreamReader)]

    init(
        _ primitive: Mesh.Primitive, _ layout: VertexLayout, _ deformation: Deformation,
        _ mesh: Mesh, _ changed: [TargetAttribute], _ conventions: ExportConventions
    ) {
        func reader(_ source: Int) -> StreamReader { StreamReader(mesh.streams[source]) }
        targetAttributes = changed.map { ($0, reader($0.attribute.source)) }
        stride = primitive.stride
        binormal = layout.binormal.map { (reader($0.source), $0.offset) }
        self.deformation = deformation
        self.conventions = conventions
        attributeWidth = layout.width
        width = layout.width + deformation.width + changed.reduce(0) { $0 + $1.width }
        moves = deformation.bindShape == .identity ? nil : deformation.bindShape
        normalMatrix = moves.map { $0.normalMatrix }
        var list: [Source] = []
        var tangents: (attribute: VertexLayout.Attribute, reader: StreamReader)?
        for attribute in layout.attributes {
            switch attribute.kind {
            case .tangent: tangents = (attribute, reader(attribute.source))
            case .position, .normal, .texcoord, .color:
                list.append(Source(attribute: attribute, count: reader(attribute.source).count))
            }
        }
        sources = list
        self.tangents = tangents
        positions = list.firstIndex { $0.attribute.kind == .position }
        positionOffset = positions.map { list[$0].attribute.offset } ?? 0
        // Tangents are seen against them.
        let normal = tangents != nil ? layout.attributes.first { $0.kind == .normal } : nil
        normals = normal.map { (reader($0.source), $0.offset) }
    }

    /// Elements that the stream of positions has.
    var positionCount: Int { positions.map { sources[$0].count } ?? 0 }

    /// Has corners gathered of another part of the primitive; places of corners are within it.
    mutating func take(_ part: Mesh.Primitive, _ columns: inout AttributeColumns) {
        indices = part.indices
        for place in sources.indices { sources[place].elements = elements(of: sources[place], &columns) }
    }

    private func elements(of source: Source, _ columns: inout AttributeColumns) -> Elements {
        switch source.elements {
        case .all: return source.elements
        case .none, .few: break
        }
        let attribute = source.attribute
        if let range = range(of: source), let few = columns.few(range, of: attribute, moves, normalMatrix) {
            return .few(few, first: range.lowerBound)
        }
        return .all(columns.column(of: attribute, moves, normalMatrix))
    }

    /// From the least to the most element that the part leads to; `nil` where some lead nowhere, or there are more
    /// than corners, so that each is not looked up much more often than once.
    private func range(of source: Source) -> Range<Int>? {
        var (least, most) = (Int32.max, Int32.min)
        let indices = indices.span
        var at = source.attribute.offset
        while at < indices.count {
            least = min(least, indices[at])
            most = max(most, indices[at])
            at += stride
        }
        guard least >= 0, least <= most, Int(most) < source.count else { return nil }
        let range = Int(least)..<Int(most) + 1
        return range.count <= indices.count / stride ? range : nil
    }

    /// The corners that have a position in finite numbers of 32 bits, faces of `size` corners kept or left out as a whole; and how many went.
    func withoutMissing(_ corners: [Int32], _ size: Int?) -> (corners: [Int32], lost: Int) {
        guard let positions, let (column, first) = sources[positions].elements.column else {
            return ([], corners.count)
        }
        func has(_ corner: Int32) -> Bool {
            let place = Int(corner) * stride + positionOffset
            guard indices.indices.contains(place), indices[place] >= first else { return false }
            return column.has(indices[place] - Int32(clamping: first))
        }
        guard !(hasAll(corners, column, first) || corners.allSatisfy(has)) else { return (corners, 0) }
        let size = size ?? 1
        var kept: [Int32] = []
        for start in Swift.stride(from: 0, to: corners.count / size * size, by: size)
        where corners[start..<start + size].allSatisfy(has) {
            kept += corners[start..<start + size]
        }
        return (kept, corners.count - kept.count)
    }

    /// Whether none is missing, where that is quickly seen.
    private func hasAll(_ corners: [Int32], _ positions: AttributeColumn, _ first: Int) -> Bool {
        guard positions.invalid.isEmpty else { return false }
        let (stride, offset, elements) = (stride, positionOffset, first..<first + positions.count)
        return indices.span.withUnsafeBufferPointer { indices in
            corners.allSatisfy { corner in
                let place = Int(corner) * stride + offset
                return indices.indices.contains(place) && elements.contains(Int(indices[place]))
            }
        }
    }

    mutating func gather(_ corners: ArraySlice<Int32>) {
        if records.count != corners.count * width {
            records = [UInt32](repeating: 0, count: corners.count * width)
            elements = [Int32](repeating: 0, count: corners.count)
        }
        for source in sources {
            guard let (column, first) = source.elements.column else { continue }
            gather(source.attribute, column, first, corners)
        }
        if let tangents {
            var at = tangents.attribute.start
            for corner in corners {
                let place = Int(corner) * stride
                let element = tangents.reader[indices[place + tangents.attribute.offset]]
                let (direction, side) = tangent(element, place)
                for axis in 0..<3 { records[at + axis] = direction[axis].vertexWord }
                records[at + 3] = side.vertexWord
                at += width
            }
        }
        if deformation.width > 0 { gatherDeformation(corners) }
        var start = attributeWidth + deformation.width
        for (changed, base) in targetAttributes {
            gather(changed, base, corners, from: start)
            start += changed.width
        }
    }

    private mutating func gather(
        _ attribute: VertexLayout.Attribute, _ column: AttributeColumn, _ first: Int, _ corners: ArraySlice<Int32>
    ) {
        switch column.width {
        case 2: copy(attribute, column, first, corners, 2)
        case 3: copy(attribute, column, first, corners, 3)
        default: copy(attribute, column, first, corners, column.width)  // numbers of words
        }
        guard !column.invalid.isEmpty || column.isDefaultInvalid else { return }
        let changed = corners.count { corner in
            let index = Int(indices[Int(corner) * stride + attribute.offset]) - first
            guard index >= 0, index < column.count else { return column.isDefaultInvalid }
            return column.invalid.contains(Int32(clamping: index))
        }
        switch attribute.kind {
        case .normal: replacedNormals += changed
        case .color: clampedColors += changed
        case .texcoord: replacedCoordinates += changed
        case .position, .tangent: break
        }
    }

    /// - Parameter columnWidth: That of the column; a constant, so that there is no loop over so few words.
    @inline(__always)
    private mutating func copy(
        _ attribute: VertexLayout.Attribute, _ column: AttributeColumn, _ first: Int, _ corners: ArraySlice<Int32>,
        _ columnWidth: Int
    ) {
        let (stride, offset, width, count) = (stride, attribute.offset, width, column.count)
        let isPosition = attribute.kind == .position
        let list = indices
        records.withUnsafeMutableBufferPointer { records in
            elements.withUnsafeMutableBufferPointer { elements in
                column.words.withUnsafeBufferPointer { words in
                    list.span.withUnsafeBufferPointer { indices in
                        corners.withUnsafeBufferPointer { corners in
                            var at = attribute.start
                            for number in corners.indices {
                                let index = Int(indices[Int(corners[number]) &* stride &+ offset]) &- first
                                let element = index >= 0 && index < count ? index : count
                                let start = element &* columnWidth
                                for word in 0..<columnWidth { records[at &+ word] = words[start &+ word] }
                                at &+= width
                                if isPosition { elements[number] = Int32(truncatingIfNeeded: element &+ first) }
                            }
                        }
                    }
                }
            }
        }
    }

    private mutating func gatherDeformation(_ corners: ArraySlice<Int32>) {
        guard deformation.vertices > 0 else { return }
        var at = attributeWidth
        let (influences, last) = (deformation.influences, deformation.vertices - 1)
        for corner in corners {
            let position = min(max(0, Int(indices[Int(corner) * stride + positionOffset])), last)
            for influence in 0..<influences {
                records[at + influence] = UInt32(deformation.joints[position * influences + influence])
                records[at + influences + influence] =
                    deformation.weights[position * influences + influence].bitPattern
            }
            var target = at + 2 * influences
            for differences in deformation.targets {
                for axis in 0..<3 { records[target + axis] = differences[3 * position + axis].bitPattern }
                target += 3
            }
            at += width
        }
    }

    /// How far each target's attribute is from that of the base, as it is written.
    private mutating func gather(
        _ changed: TargetAttribute, _ base: StreamReader, _ corners: ArraySlice<Int32>, from start: Int
    ) {
        let (attribute, columns) = (changed.attribute, changed.attribute.kind.width)
        var at = start
        for corner in corners {
            let own = base[indices[Int(corner) * stride + attribute.offset]]
            for (target, values) in changed.values.enumerated() {
                let difference = values.map { self.difference(of: $0[corner], $0.method, from: own, attribute.kind) }
                for lane in 0..<columns {
                    records[at + columns * target + lane] = (difference?[lane] ?? 0).vertexWord
                }
            }
            at += width
        }
    }

    private func difference(
        of target: SIMD4<Double>, _ method: Morph.Method, from base: SIMD4<Double>, _ kind: VertexAttribute
    ) -> SIMD4<Double> {
        let shape: SIMD4<Double> =
            switch method {
            case .normalized: target
            case .relative: base + target
            }
        switch kind {
        case .normal:
            // The base is written with a length of 1; what is added to it must shrink or grow with it.
            let own = moved(base.spatial)
            let length = own.size
            guard length > 0, length.isFinite else { return .zero }
            return SIMD4((moved(shape.spatial) - own) / length, 0)
        case .texcoord: return SIMD4(shape.x - base.x, conventions.rise(shape.y - base.y), 0, 0)
        case .color:
            return conventions.color(shape.clampedColor) - conventions.color(base.clampedColor)
        case .position, .tangent: return .zero
        }
    }

    /// A normal in the bind shape.
    private func moved(_ normal: SIMD3<Double>) -> SIMD3<Double> { normalMatrix?.transform(point: normal) ?? normal }

    // MARK: - Tangents

    private mutating func tangent(_ element: SIMD4<Double>, _ place: Int) -> (SIMD3<Double>, Double) {
        var direction = element.spatial
        let side = side(direction, place)
        if let moves { direction = moves.withoutTranslation.transform(point: direction) }
        if let unit = direction.unit { return (unit, side) }
        replacedNormals += 1
        return ([1, 0, 0], side)
    }

    /// 1, or −1 where the bitangent runs against the one that normal and tangent make.
    private mutating func side(_ tangent: SIMD3<Double>, _ place: Int) -> Double {
        guard let binormal, let normals else {
            guessedSides += 1
            return 1
        }
        let normal = normals.reader[indices[place + normals.offset]]
        let other = binormal.reader[indices[place + binormal.offset]]
        return normal.spatial.cross(tangent).dot(other.spatial) < 0 ? -1 : 1
    }
}

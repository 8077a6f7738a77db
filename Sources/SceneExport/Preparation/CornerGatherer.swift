import Glibc
import SceneModel

/// Makes records of corners: the words of every attribute as the file will have them.
struct CornerGatherer {
    /// Of the corners gathered last.
    private(set) var records: [UInt32] = []
    /// Corners whose normal had no direction.
    private(set) var replacedNormals = 0
    /// Corners whose tangent came without a bitangent.
    private(set) var guessedSides = 0
    private(set) var clampedColors = 0

    private let indices: [Int32]
    private let stride: Int
    private let attributes: [(attribute: VertexLayout.Attribute, reader: StreamReader)]
    private let binormal: (reader: StreamReader, offset: Int)?
    private let deformation: Deformation
    private let positionOffset: Int
    private let positions: StreamReader?
    private let normals: (reader: StreamReader, offset: Int)?
    private let width: Int
    private let attributeWidth: Int
    /// For directions across a surface.
    private let normalMatrix: Matrix4?
    private let moves: Matrix4?
    private let targetNormals: [TargetNormals]

    init(
        _ primitive: Mesh.Primitive, _ layout: VertexLayout, _ deformation: Deformation,
        _ targetNormals: [TargetNormals] = []
    ) {
        self.targetNormals = targetNormals
        indices = primitive.indices
        stride = primitive.stride
        attributes = layout.attributes.map { ($0, StreamReader($0.stream)) }
        binormal = layout.binormal.map { (StreamReader($0.stream), $0.offset) }
        self.deformation = deformation
        attributeWidth = layout.width
        width = layout.width + deformation.width + 3 * targetNormals.count
        let position = attributes.first { $0.attribute.kind == .position }
        positionOffset = position?.attribute.offset ?? 0
        positions = position?.reader
        normals = attributes.first { $0.attribute.kind == .normal }.map { ($0.reader, $0.attribute.offset) }
        moves = deformation.bindShape == .identity ? nil : deformation.bindShape
        normalMatrix = moves.map { $0.normalMatrix }
    }

    /// The corners that have a position of finite numbers, faces of `size` corners kept or left out as a whole; and how many went.
    func withoutMissing(_ corners: [Int32], _ size: Int?) -> (corners: [Int32], lost: Int) {
        guard let positions else { return ([], corners.count) }
        let isFinite = positions.isFinite
        func has(_ corner: Int32) -> Bool {
            let place = Int(corner) * stride + positionOffset
            guard indices.indices.contains(place), positions.has(indices[place]) else { return false }
            return isFinite || positions[indices[place]].isFinite
        }
        guard !corners.allSatisfy(has) else { return (corners, 0) }
        let size = size ?? 1
        var kept: [Int32] = []
        for start in Swift.stride(from: 0, to: corners.count / size * size, by: size)
        where corners[start..<start + size].allSatisfy(has) {
            kept += corners[start..<start + size]
        }
        return (kept, corners.count - kept.count)
    }

    mutating func gather(_ corners: ArraySlice<Int32>) {
        if records.count != corners.count * width {
            records = [UInt32](repeating: 0, count: corners.count * width)
        }
        for (attribute, reader) in attributes { gather(attribute, reader, corners) }
        if deformation.width > 0 { gatherDeformation(corners) }
        if !targetNormals.isEmpty { gatherTargetNormals(corners) }
    }

    private mutating func gather(
        _ attribute: VertexLayout.Attribute, _ reader: StreamReader, _ corners: ArraySlice<Int32>
    ) {
        var at = attribute.start
        let offset = attribute.offset
        for corner in corners {
            let place = Int(corner) * stride
            let element = reader[indices[place + offset]]
            switch attribute.kind {
            case .position:
                let point = SIMD3(element.x, element.y, element.z)
                put(moves.map { $0.transform(point: point) } ?? point, at)
            case .normal: put(normal(element), at)
            case .tangent:
                let (direction, side) = tangent(element, place)
                put(direction, at)
                put(side, at + 3)
            case .texcoord:
                put(element.x, at)
                // Images hang from the top there.
                put(1 - element.y, at + 1)
            case .color:
                let color = clamped(element)
                put(color.x.linearFromSRGB, at)
                put(color.y.linearFromSRGB, at + 1)
                put(color.z.linearFromSRGB, at + 2)
                put(color.w, at + 3)
            }
            at += width
        }
    }

    private mutating func gatherDeformation(_ corners: ArraySlice<Int32>) {
        var at = attributeWidth
        let influences = deformation.influences
        for corner in corners {
            let position = Int(indices[Int(corner) * stride + positionOffset])
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

    /// How far each target's normal is from that of the base.
    private mutating func gatherTargetNormals(_ corners: ArraySlice<Int32>) {
        guard let normals else { return }
        var at = attributeWidth + deformation.width
        for corner in corners {
            let base = direction(normals.reader[indices[Int(corner) * stride + normals.offset]].spatial)
            for (target, list) in targetNormals.enumerated() {
                guard let base, let normal = direction(list[corner]) else {
                    put(SIMD3<Double>.zero, at + 3 * target)
                    continue
                }
                put(normal - base, at + 3 * target)
            }
            at += width
        }
    }

    private func direction(_ normal: SIMD3<Double>) -> SIMD3<Double>? {
        (normalMatrix?.transform(point: normal) ?? normal).unit
    }

    // MARK: - Numbers

    private mutating func put(_ value: Double, _ place: Int) {
        let number = Float(value)
        // −0 and 0 are one place, and two records; what is no number has no place.
        records[place] = number.isFinite ? (number + 0).bitPattern : 0
    }

    private mutating func put(_ vector: SIMD3<Double>, _ place: Int) {
        put(vector.x, place)
        put(vector.y, place + 1)
        put(vector.z, place + 2)
    }

    private mutating func normal(_ element: SIMD4<Double>) -> SIMD3<Double> {
        var direction = SIMD3(element.x, element.y, element.z)
        if let normalMatrix { direction = normalMatrix.transform(point: direction) }
        if let unit = direction.unit { return unit }
        replacedNormals += 1
        return [0, 0, 1]
    }

    private mutating func tangent(_ element: SIMD4<Double>, _ place: Int) -> (SIMD3<Double>, Double) {
        var direction = SIMD3(element.x, element.y, element.z)
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
        let across = SIMD3(normal.x, normal.y, normal.z).crossed(tangent)
        return (across * SIMD3(other.x, other.y, other.z)).sum() < 0 ? -1 : 1
    }

    private mutating func clamped(_ color: SIMD4<Double>) -> SIMD4<Double> {
        // Numbers that are none count as 0.
        var clamped = color.clamped(lowerBound: .zero, upperBound: .one)
        for lane in 0..<4 where !color[lane].isFinite { clamped[lane] = 0 }
        if clamped != color { clampedColors += 1 }
        return clamped
    }
}

extension SIMD4<Double> {
    fileprivate var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}

extension SIMD3<Double> {
    /// `nil` without a direction.
    var unit: SIMD3<Double>? {
        let largest = Swift.max(abs(x), abs(y), abs(z))
        guard largest > 0, largest.isFinite else { return nil }
        let near = self / largest
        return near / (near * near).sum().squareRoot()
    }

    func crossed(_ other: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }
}

extension Double {
    /// What a display makes of a colour that was picked on one. Documents have the colours that their authors saw.
    ///
    /// - Source: IEC 61966-2-1 (sRGB).
    var linearFromSRGB: Double {
        self <= 0.04045 ? self / 12.92 : pow((self + 0.055) / 1.055, 2.4)
    }
}

extension Matrix4 {
    /// Moves directions that stand upright on a surface as the matrix moves the surface; up to their length.
    var normalMatrix: Matrix4 {
        let (x, y, z) = (columns.0.spatial, columns.1.spatial, columns.2.spatial)
        let side = x.crossed(y)
        let sign: Double = (side * z).sum() < 0 ? -1 : 1
        return Matrix4(
            columns: (
                SIMD4(y.crossed(z) * sign, 0), SIMD4(z.crossed(x) * sign, 0), SIMD4(side * sign, 0), [0, 0, 0, 1]
            ))
    }
}

extension SIMD4<Double> {
    var spatial: SIMD3<Double> { SIMD3(x, y, z) }
}

// Documents without normals leave it to whoever shows them how round their edges are.

import DaeScene

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension DrawnPart {
    /// Gives triangles normals: faces that meet at one place at less than the crease angle share theirs, each by its angle
    /// there. A vertex that then has several is split.
    ///
    /// - Parameter creaseAngle: In degrees.
    mutating func makeNormals(creaseAngle: Double) {
        guard topology == .triangles else { return }
        let cosine = Float(cos(min(max(creaseAngle, 0), 180) * .pi / 180))
        let corners = indices.count / 3 * 3
        let faces = faceNormals
        let angles = (0..<corners).map { angle(at: $0) }
        let places = PlaceGroups(of: positions, indices: indices[..<corners])
        var split = VertexSplitter(self)
        var made = indices
        var groups: [UInt32] = []
        var normalOf: [Int: SIMD3<Float>] = [:]
        var groupOf: [SIMD4<UInt32>: UInt32] = [:]
        for place in 0..<places.count {
            let around = places.corners(place)
            let sums = Self.normals(around, faces, angles, cosine)
            for (corner, normal) in zip(around, sums) {
                let words = SIMD4(
                    UInt32(truncatingIfNeeded: place), (normal.x + 0).bitPattern, (normal.y + 0).bitPattern,
                    (normal.z + 0).bitPattern)
                let group = groupOf[words] ?? UInt32(truncatingIfNeeded: groupOf.count)
                groupOf[words] = group
                let vertex = split.vertex(of: Int(indices[Int(corner)]), variant: group)
                made[Int(corner)] = UInt32(truncatingIfNeeded: vertex)
                normalOf[vertex] = normal
                if groups.count <= vertex {
                    groups.append(contentsOf: repeatElement(0, count: vertex + 1 - groups.count))
                }
                groups[vertex] = group
            }
        }
        split.finish(&self)
        indices = made
        var normals = [Float](repeating: 0, count: vertexCount * 3)
        groups.append(contentsOf: repeatElement(0, count: max(0, vertexCount - groups.count)))
        for vertex in 0..<vertexCount { normals.put(normalOf[vertex] ?? [0, 0, 1], at: vertex) }
        self.normals = normals
        smoothing = groups
    }

    /// The normals of the present shape, for vertices that are grouped already.
    mutating func renewNormals() {
        let count = Int(smoothing.max() ?? 0) + 1
        var sums = [SIMD3<Float>](repeating: .zero, count: count)
        let faces = faceNormals
        for corner in 0..<indices.count / 3 * 3 {
            sums[Int(smoothing[Int(indices[corner])])] += faces[corner / 3] * angle(at: corner)
        }
        for vertex in 0..<vertexCount {
            let sum = sums[Int(smoothing[vertex])]
            if sum != .zero { normals.put(sum.normalized, at: vertex) }
        }
    }

    /// Of length 1; 0 for a face without an area.
    private var faceNormals: [SIMD3<Float>] {
        (0..<indices.count / 3).map { faceNormal($0) }
    }

    /// Of length 1; 0 for a triangle without an area.
    package func faceNormal(_ face: Int) -> SIMD3<Float> {
        let a = positions.vector(Int(indices[3 * face]))
        let side = positions.vector(Int(indices[3 * face + 1])) - a
        let other = positions.vector(Int(indices[3 * face + 2])) - a
        let across = side.normalized.cross(other.normalized)
        return across.dot(across) > 1e-12 ? across.normalized : .zero
    }

    /// In radians, between the two sides of a face that meet at a corner.
    private func angle(at corner: Int) -> Float {
        let face = corner / 3 * 3
        let here = positions.vector(Int(indices[corner]))
        let next = positions.vector(Int(indices[face + (corner + 1) % 3])) - here
        let last = positions.vector(Int(indices[face + (corner + 2) % 3])) - here
        return acos(Swift.min(1, Swift.max(-1, next.normalized.dot(last.normalized))))
    }

    /// Faces around one place that are held against each other one by one; more of them are gathered by direction.
    private static let mostFaces = 96
    private static let mostDirections = 24

    /// The normal at each of some corners that are at one place.
    private static func normals(
        _ corners: ArraySlice<UInt32>, _ faces: [SIMD3<Float>], _ angles: [Float], _ cosine: Float
    ) -> [SIMD3<Float>] {
        let own = corners.map { faces[Int($0) / 3] }
        let weighted = zip(corners, own).map { $1 * angles[Int($0)] }
        func settled(_ sum: SIMD3<Float>, _ face: SIMD3<Float>) -> SIMD3<Float> {
            if sum.dot(sum) > 1e-12 { return sum.normalized }
            return face == .zero ? [0, 0, 1] : face
        }
        guard corners.count > mostFaces else {
            return own.map { face in
                var sum = SIMD3<Float>.zero
                for (other, weight) in zip(own, weighted) where face == .zero || face.dot(other) >= cosine {
                    sum += weight
                }
                return settled(sum, face)
            }
        }
        var directions: [SIMD3<Float>] = []
        var sums: [SIMD3<Float>] = []
        let groups = zip(own, weighted).map { face, weight in
            let known = directions.firstIndex { $0.dot(face) >= cosine }
            if known == nil, directions.count < mostDirections {
                directions.append(face)
                sums.append(.zero)
            }
            let group = known ?? directions.count - 1
            sums[group] += weight
            return group
        }
        return zip(groups, own).map { settled(sums[$0], $1) }
    }
}

/// The corners of a part by the place they are at, whatever else their vertices have.
private struct PlaceGroups {
    private var starts: [Int32] = [0]
    private var ordered: [UInt32]

    init(of positions: [Float], indices: ArraySlice<UInt32>) {
        let vertices = positions.count / 3
        var merger = RecordMerger(width: 3, expecting: vertices)
        var placeOf: [UInt32] = []
        placeOf.reserveCapacity(vertices)
        merger.merge(positions.map { ($0 + 0).bitPattern }, into: &placeOf)
        var counts = [Int32](repeating: 0, count: merger.count + 1)
        for index in indices { counts[Int(placeOf[Int(index)]) + 1] += 1 }
        for place in 0..<merger.count { counts[place + 1] += counts[place] }
        starts = counts
        ordered = [UInt32](repeating: 0, count: indices.count)
        var next = counts
        for (corner, index) in indices.enumerated() {
            let place = Int(placeOf[Int(index)])
            ordered[Int(next[place])] = UInt32(truncatingIfNeeded: corner)
            next[place] += 1
        }
    }

    var count: Int { starts.count - 1 }

    func corners(_ place: Int) -> ArraySlice<UInt32> { ordered[Int(starts[place])..<Int(starts[place + 1])] }
}

/// Gives vertices of which corners want different things one copy for each.
struct VertexSplitter {
    private let count: Int
    /// What the vertex itself is; `nil` until a corner wants something of it.
    private var own: [UInt32?]
    private var copies: [SIMD2<UInt32>: Int] = [:]
    /// The vertices behind the part's own, by what they are copies of.
    private var sources: [Int] = []

    init(_ part: DrawnPart) {
        count = part.vertexCount
        own = [UInt32?](repeating: nil, count: count)
    }

    /// The vertex that stands for one of the part's as a corner wants it.
    mutating func vertex(of vertex: Int, variant: UInt32) -> Int {
        guard let known = own[vertex] else {
            own[vertex] = variant
            return vertex
        }
        if known == variant { return vertex }
        let key = SIMD2(UInt32(truncatingIfNeeded: vertex), variant)
        if let copy = copies[key] { return copy }
        let copy = count + sources.count
        copies[key] = copy
        sources.append(vertex)
        return copy
    }

    /// Appends the copies to all that vertices have.
    func finish(_ part: inout DrawnPart) {
        guard !sources.isEmpty else { return }
        func append<Number>(_ values: inout [Number], _ width: Int) {
            guard !values.isEmpty else { return }
            values.reserveCapacity(values.count + sources.count * width)
            for source in sources {
                for lane in 0..<width { values.append(values[source * width + lane]) }
            }
        }
        append(&part.positions, 3)
        append(&part.normals, 3)
        append(&part.tangents, 4)
        for set in part.texcoords.indices { append(&part.texcoords[set], 2) }
        for set in part.colors.indices { append(&part.colors[set], 4) }
        append(&part.joints, part.influences)
        append(&part.weights, part.influences)
        append(&part.smoothing, 1)
        for target in part.targets.indices {
            append(&part.targets[target].positions, 3)
            append(&part.targets[target].normals, 3)
        }
    }
}

extension DrawnPart {
    /// Gives triangles tangents along the first texture coordinates. A vertex whose faces are mirrored against each other on
    /// the picture is split.
    mutating func makeTangents(_ origin: Drawing.TextureOrigin) {
        guard topology == .triangles, tangents.isEmpty, let places = texcoords.first, !normals.isEmpty else { return }
        // The bitangent points up the picture, which is where v falls if it counts from the top.
        let upright: Float =
            switch origin {
            case .topLeft: -1
            case .bottomLeft: 1
            }
        var split = VertexSplitter(self)
        var sums = [SIMD3<Float>](repeating: .zero, count: vertexCount)
        var signs = [Float](repeating: 1, count: vertexCount)
        for face in stride(from: 0, to: indices.count - 2, by: 3) {
            let vertices = (0..<3).map { Int(indices[face + $0]) }
            func place(_ vertex: Int) -> SIMD2<Float> { SIMD2(places[2 * vertex], places[2 * vertex + 1]) }
            let (first, second) = (place(vertices[1]) - place(vertices[0]), place(vertices[2]) - place(vertices[0]))
            let area = first.x * second.y - first.y * second.x
            let a = positions.vector(vertices[0])
            let (side, other) = (positions.vector(vertices[1]) - a, positions.vector(vertices[2]) - a)
            let along = (side * second.y - other * first.y) * (area < 0 ? -1 : 1)
            for corner in 0..<3 {
                let vertex = split.vertex(of: vertices[corner], variant: area < 0 ? 1 : 0)
                indices[face + corner] = UInt32(truncatingIfNeeded: vertex)
                if vertex >= sums.count {
                    let missing = vertex + 1 - sums.count
                    sums.append(contentsOf: repeatElement(.zero, count: missing))
                    signs.append(contentsOf: repeatElement(1, count: missing))
                }
                sums[vertex] += along.normalized
                signs[vertex] = area < 0 ? -upright : upright
            }
        }
        split.finish(&self)
        tangents = [Float](repeating: 0, count: 4 * vertexCount)
        for vertex in 0..<vertexCount {
            let normal = normals.vector(vertex)
            let sum = vertex < sums.count ? sums[vertex] : .zero
            let flat = sum - normal * normal.dot(sum)
            let unit = flat.dot(flat) > 1e-12 ? flat.normalized : normal.anyAcross
            for lane in 0..<3 { tangents[4 * vertex + lane] = unit[lane] }
            tangents[4 * vertex + 3] = vertex < signs.count ? signs[vertex] : 1
        }
    }
}

extension SIMD3<Float> {
    /// Some direction of length 1 that is upright to this one.
    fileprivate var anyAcross: Self {
        let axis: Self = abs(x) < 0.9 ? [1, 0, 0] : [0, 1, 0]
        return cross(axis).normalized
    }
}

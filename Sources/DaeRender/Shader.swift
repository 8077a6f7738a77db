import DaeMesh
import DaeScene

/// Gives faces their colours; each thread has its own, which remembers the last face.
struct Shader {
    private let frame: Frame
    private let eye: Vector
    private let back: Vector
    private var drawn = -1
    // Of the part, by themselves: each look at a list within another value would count it, and all threads count the same.
    private var texcoords: [[Float]] = []
    private var colors: [Float] = []
    private var look = Look()
    private var face: UInt32 = .max
    private var corners = Corners()

    /// What the shares of a face's corners follow from, and where they are in the world.
    fileprivate struct Corners {
        var isLine = false
        var vertices = (0, 0, 0)
        /// Times a place on the screen: the share of each corner, times what is the same for all.
        var shares: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) = (.zero, .zero, .zero)
        /// Of a line, its ends: x, y in pixels, both times w, and w.
        var ends: (SIMD3<Double>, SIMD3<Double>) = (.zero, .zero)
        var places: (Vector, Vector, Vector) = (.zero, .zero, .zero)
        var normals: (Vector, Vector, Vector) = (.zero, .zero, .zero)
        /// Upright to the face, towards the viewer.
        var upright = Vector.zero
    }

    /// A place on a face.
    private struct Spot {
        /// Of each corner, 0...1.
        var shares = Vector.zero
        /// How the shares change with a pixel to the right, and down.
        var acrossChange = Vector.zero
        var downChange = Vector.zero
    }

    init(_ frame: Frame) {
        self.frame = frame
        eye = Vector(narrowing: frame.view.eye)
        back = Vector(narrowing: frame.view.back)
    }

    /// Red, green, blue and opacity, 0...1.
    ///
    /// - Parameter place: In pixels from the picture's upper left.
    mutating func shade(_ face: UInt32, at place: SIMD2<Double>) -> SIMD4<Float> {
        if face != self.face { turn(to: face) }
        let spot = spot(at: place)
        let color =
            switch frame.style {
            case .lit, .suite: lit(spot)
            case .normals: directions(spot)
            case .wireframe: wires(spot, at: place)
            case .uv: coordinates(spot)
            }
        return color.clamped
    }

    // MARK: - Faces

    private mutating func turn(to face: UInt32) {
        self.face = face
        let draw = frame.draw(of: Int(face))
        if draw != drawn {
            drawn = draw
            texcoords = frame.draws[draw].part.texcoords
            colors = frame.draws[draw].part.colors.first ?? []
            look = frame.looks[frame.draws[draw].look]
        }
        corners = Corners(Int(face) - frame.draws[draw].firstFace, frame.draws[draw], frame.view)
    }

    private func spot(at place: SIMD2<Double>) -> Spot {
        let point = SIMD3(place.x, place.y, 1)
        if corners.isLine { return line(at: point) }
        let (a, b, c) = corners.shares
        let parts = SIMD3(a.dot(point), b.dot(point), c.dot(point))
        let sum = parts.x + parts.y + parts.z
        let scale = 1 / sum
        guard scale.isFinite else { return Spot(shares: Vector(repeating: 1 / 3)) }
        let shares = parts * scale
        func change(_ slope: SIMD3<Double>) -> Vector {
            Vector(narrowing: (slope - shares * (slope.x + slope.y + slope.z)) * scale)
        }
        return Spot(
            shares: Vector(narrowing: shares).shared, acrossChange: change(SIMD3(a.x, b.x, c.x)),
            downChange: change(SIMD3(a.y, b.y, c.y)))
    }

    /// The place of a line that is level with one of the screen.
    private func line(at point: SIMD3<Double>) -> Spot {
        let (start, end) = corners.ends
        let along = SIMD2(end.x * start.z - start.x * end.z, end.y * start.z - start.y * end.z)
        let way = end - start
        func level(_ vector: SIMD3<Double>) -> Double {
            along.x * (vector.x - point.x * vector.z) + along.y * (vector.y - point.y * vector.z)
        }
        let share = -level(start) / level(way)
        let part = share.isFinite ? Float(min(1, max(0, share))) : 0
        return Spot(shares: Vector(1 - part, part, 0))
    }

    private func mixed(_ values: (Vector, Vector, Vector), _ shares: Vector) -> Vector {
        values.0 * shares.x + values.1 * shares.y + values.2 * shares.z
    }

    private func toViewer(from place: Vector) -> Vector { frame.view.isParallel ? back : (eye - place).unit }

    // MARK: - Styles

    private func lit(_ spot: Spot) -> SIMD4<Float> {
        let place = mixed(corners.places, spot.shares)
        let viewer = toViewer(from: place)
        var normal = mixed(corners.normals, spot.shares).unit
        var surface = Reflectance()
        surface.model = look.model
        surface.emission = value(look.emission, spot)
        surface.diffuse = value(look.diffuse, spot)
        surface.ambient = value(look.ambient, spot)
        surface.specular = value(look.specular, spot)
        surface.shininess = look.shininess
        if look.takesVertexColors, !colors.isEmpty {
            let color = vertexColor(spot)
            surface.diffuse *= color
            surface.ambient *= color
            if look.model == .constant { surface.emission *= color }
        }
        let isBare = normal == .zero
        if frame.style != .suite {
            if isBare { normal = corners.upright }
            // Both sides are seen, each lit from where it is seen.
            if normal.dot(corners.upright) < 0 { normal = -normal }
        }
        let opacity = opacity(spot)
        // What has no side is seen as if it shone.
        if corners.isLine, isBare, frame.style != .suite {
            let color = surface.emission + surface.diffuse
            return SIMD4(color.x, color.y, color.z, opacity)
        }
        if isBare { normal = back }
        let color = frame.illumination.shade(surface, at: place, normal: normal, toViewer: viewer)
        return SIMD4(color.x, color.y, color.z, opacity)
    }

    private func directions(_ spot: Spot) -> SIMD4<Float> {
        let normal = mixed(corners.normals, spot.shares).unit
        let color = normal * 0.5 + 0.5
        return SIMD4(color.x, color.y, color.z, 1)
    }

    private func wires(_ spot: Spot, at place: SIMD2<Double>) -> SIMD4<Float> {
        guard !corners.isLine else { return SIMD4(0.1, 0.1, 0.1, 1) }
        let point = SIMD3(place.x, place.y, 1)
        func distance(_ share: SIMD3<Double>) -> Double {
            abs(share.dot(point)) / (share.x * share.x + share.y * share.y).squareRoot()
        }
        let (a, b, c) = corners.shares
        let nearest = Float(min(distance(a), distance(b), distance(c)))
        let wire = nearest.isFinite ? min(1, max(0, 1.25 - nearest)) : 1
        let place = mixed(corners.places, spot.shares)
        let facing = abs(corners.upright.dot(toViewer(from: place)))
        let level = (0.45 + 0.5 * facing) * (1 - wire) + 0.08 * wire
        return SIMD4(level, level, level + 0.02 * wire, 1)
    }

    private func coordinates(_ spot: Spot) -> SIMD4<Float> {
        guard !texcoords.isEmpty else { return SIMD4(0.5, 0.5, 0.5, 1) }
        let place = self.place(0, spot.shares)
        guard abs(place.x) < 1e6, abs(place.y) < 1e6 else { return SIMD4(0.5, 0.5, 0.5, 1) }
        let (u, v) = (place.x - place.x.rounded(.down), place.y - place.y.rounded(.down))
        let isDark = (Int(u * 8) + Int(v * 8)) & 1 == 0
        let level: Float = isDark ? 0.7 : 1
        return SIMD4(u * level, v * level, isDark ? 0.15 : 0.3, 1)
    }

    // MARK: - Values

    private func value(_ value: LookValue, _ spot: Spot) -> Vector {
        switch value {
        case .color(let color): return color
        case .texture(let texture):
            let color = sample(texture, spot)
            return Vector(color.x, color.y, color.z)
        }
    }

    private func opacity(_ spot: Spot) -> Float {
        switch look.opacity {
        case .number(let number): return number
        case .texture(let texture, let map):
            let color = sample(texture, spot)
            return Float(map.opacity(at: SIMD4(Double(color.x), Double(color.y), Double(color.z), Double(color.w))))
        }
    }

    private func vertexColor(_ spot: Spot) -> Vector {
        let (a, b, c) = corners.vertices
        func color(_ vertex: Int) -> Vector {
            Vector(colors[4 * vertex], colors[4 * vertex + 1], colors[4 * vertex + 2])
        }
        return color(a) * spot.shares.x + color(b) * spot.shares.y + color(c) * spot.shares.z
    }

    private func place(_ set: Int, _ shares: Vector) -> SIMD2<Float> {
        let (a, b, c) = corners.vertices
        func place(_ vertex: Int) -> SIMD2<Float> {
            SIMD2(texcoords[set][2 * vertex], texcoords[set][2 * vertex + 1])
        }
        return place(a) * shares.x + place(b) * shares.y + place(c) * shares.z
    }

    private func sample(_ texture: LookTexture, _ spot: Spot) -> SIMD4<Float> {
        guard !texcoords.isEmpty else { return .one }
        let set = texcoords.indices.contains(texture.set) ? texture.set : 0
        var (here, across, down) = (
            place(set, spot.shares), place(set, spot.acrossChange), place(set, spot.downChange)
        )
        if let transform = texture.transform {
            (here, across, down) = (transform(here), transform.direction(across), transform.direction(down))
        }
        let size = frame.textures[texture.image].size
        (across, down) = (across * size, down * size)
        let most = max(across.x * across.x + across.y * across.y, down.x * down.x + down.y * down.y)
        let level = most > 1 ? Float(0.5 * Functions.log2(Double(min(most, 1e30)))) : 0
        return frame.textures[texture.image].sample(here, level: level, texture.sampling)
    }
}

extension Shader.Corners {
    init(_ face: Int, _ draw: borrowing Draw, _ view: Viewpoint) {
        switch draw.part.topology {
        case .triangles:
            vertices = (
                Int(draw.part.indices[3 * face]), Int(draw.part.indices[3 * face + 1]),
                Int(draw.part.indices[3 * face + 2])
            )
        case .lines:
            isLine = true
            let (start, end) = (Int(draw.part.indices[2 * face]), Int(draw.part.indices[2 * face + 1]))
            vertices = (start, end, end)
        }
        func place(_ vertex: Int) -> Vector { draw.part.positions.triple(vertex) }
        let points = (place(vertices.0), place(vertices.1), place(vertices.2))
        func onScreen(_ point: Vector) -> SIMD3<Double> {
            let moved = draw.toScreen.homogeneous(point)
            return SIMD3(moved.x, moved.y, moved.w)
        }
        let (a, b, c) = (onScreen(points.0), onScreen(points.1), onScreen(points.2))
        if isLine { ends = (a, b) } else { shares = (b.cross(c), c.cross(a), a.cross(b)) }
        func inWorld(_ point: Vector) -> Vector { Vector(narrowing: draw.toWorld.homogeneous(point).xyz) }
        places = (inWorld(points.0), inWorld(points.1), inWorld(points.2))
        if !draw.part.normals.isEmpty {
            func normal(_ vertex: Int) -> Vector {
                let normal = draw.part.normals.triple(vertex)
                return (draw.normals.x * normal.x + draw.normals.y * normal.y + draw.normals.z * normal.z).unit
            }
            normals = (normal(vertices.0), normal(vertices.1), normal(vertices.2))
        }
        let plane = (places.1 - places.0).cross(places.2 - places.0).unit
        let middle = (places.0 + places.1 + places.2) / 3
        let viewer = view.isParallel ? Vector(narrowing: view.back) : Vector(narrowing: view.eye) - middle
        upright = plane.dot(viewer) < 0 ? -plane : plane
    }
}

extension SIMD3<Float> {
    /// Shares that rounding has taken out of 0...1.
    fileprivate var shared: Self {
        let least = clamped(lowerBound: .zero, upperBound: Self(repeating: 1))
        let sum = least.x + least.y + least.z
        return sum > 0 ? least / sum : Self(repeating: 1 / 3)
    }
}

extension SIMD4<Float> {
    /// Each 0...1; 0 for what is no number.
    fileprivate var clamped: Self {
        var color = Self.zero
        for lane in 0..<4 { color[lane] = self[lane] > 0 ? Swift.min(1, self[lane]) : 0 }
        return color
    }
}

import DaeMesh
import DaeScene

/// Where a picture is seen from, and what of the world falls on which pixel.
struct Viewpoint: Sendable {
    enum Lens: Sendable, Equatable {
        /// Half of what is seen at a distance of 1, across and upwards.
        case perspective(SIMD2<Double>)
        /// Half of what is seen, across and upwards.
        case parallel(SIMD2<Double>)
    }

    let lens: Lens
    let eye: SIMD3<Double>
    /// What is on the right, up, and towards the viewer; of length 1.
    let right: SIMD3<Double>
    let up: SIMD3<Double>
    let back: SIMD3<Double>
    let near: Double
    /// May be infinite with a perspective.
    let far: Double
    /// Pixels.
    let width: Int
    let height: Int

    init(
        lens: Lens, eye: SIMD3<Double>, right: SIMD3<Double>, up: SIMD3<Double>, back: SIMD3<Double>, near: Double,
        far: Double, width: Int, height: Int
    ) {
        self.lens = lens
        (self.eye, self.right, self.up, self.back) = (eye, right, up, back)
        (self.near, self.far, self.width, self.height) = (near, far, width, height)
    }

    // MARK: - Projecting

    /// Takes points of the world to x, y, w and a depth, both times w: x and y in pixels from the picture's upper left. The
    /// depth is 1 at the near plane and falls with the distance, to ``farDepth``.
    var projection: Matrix4 {
        let (w, h) = (Double(width), Double(height))
        func row(_ axis: SIMD3<Double>, _ shift: Double) -> SIMD4<Double> { SIMD4(axis, shift) }
        // Of the eye's space.
        let x = row(right, -right.dot(eye))
        let y = row(up, -up.dot(eye))
        let distance = row(-back, back.dot(eye))
        let rows: (x: SIMD4<Double>, y: SIMD4<Double>, depth: SIMD4<Double>, w: SIMD4<Double>)
        switch lens {
        case .perspective(let half):
            rows = (
                x * (w / 2 / half.x) + distance * (w / 2), distance * (h / 2) - y * (h / 2 / half.y),
                SIMD4(0, 0, 0, near), distance
            )
        case .parallel(let half):
            let one = SIMD4<Double>(0, 0, 0, 1)
            rows = (
                x * (w / 2 / half.x) + one * (w / 2), one * (h / 2) - y * (h / 2 / half.y),
                (one * far - distance) / (far - near), one
            )
        }
        return Matrix4(
            columns: (
                SIMD4(rows.x.x, rows.y.x, rows.depth.x, rows.w.x), SIMD4(rows.x.y, rows.y.y, rows.depth.y, rows.w.y),
                SIMD4(rows.x.z, rows.y.z, rows.depth.z, rows.w.z), SIMD4(rows.x.w, rows.y.w, rows.depth.w, rows.w.w)
            ))
    }

    /// What is less deep is behind the far plane.
    var farDepth: Float {
        switch lens {
        case .perspective: far.isFinite ? Float(near / far) : 0
        case .parallel: 0
        }
    }

    var isParallel: Bool {
        switch lens {
        case .perspective: false
        case .parallel: true
        }
    }

    // MARK: - Cameras

    /// - Parameters:
    ///   - world: From the camera's node to the world.
    ///   - box: What there is to see.
    init?(
        _ camera: Camera, world: Matrix4, box: Bounds?, style: RenderOptions.Style, width: Int, height: Int
    ) {
        guard let projection = camera.projection else { return nil }
        let ratio = Double(width) / Double(height)
        let back = world.columns.2.xyz.unit
        // A node may lean or stretch: what it sees is upright all the same.
        var right = world.columns.0.xyz.unit
        right = (right - back * right.dot(back)).unit
        let up = back.cross(right)
        guard back != .zero, right != .zero else { return nil }
        let eye = world.columns.3.xyz
        let lens: Lens
        switch projection {
        case .perspective(let xfov, let yfov):
            func half(_ degrees: Double?) -> Double? {
                guard let degrees, degrees > 0, degrees < 180 else { return nil }
                return Functions.tangent(degrees: degrees / 2)
            }
            guard let half = Self.half(half(xfov), half(yfov), camera, ratio, style) else { return nil }
            lens = .perspective(half)
        case .orthographic(let xmag, let ymag):
            func half(_ size: Double?) -> Double? {
                guard let size, size != 0, size.isFinite else { return nil }
                return abs(size)
            }
            guard let half = Self.half(half(xmag), half(ymag), camera, ratio, style) else { return nil }
            lens = .parallel(half)
        }
        // How deep the scene is from here.
        let depths = box.map { $0.corners.map { (eye - $0).dot(back) } } ?? [1]
        let deepest = max(depths.max() ?? 1, 1e-6)
        var near = camera.near ?? 0
        var far = camera.far ?? .infinity
        switch lens {
        case .perspective:
            if !(near > 0) { near = min(deepest, far.isFinite && far > 0 ? far : deepest) * 1e-4 }
            if !(far > near) { far = .infinity }
            if style != .suite { (near, far) = (min(near, deepest * 1e-3), .infinity) }
        case .parallel:
            if !near.isFinite { near = 0 }
            let nearest = depths.min() ?? 0
            if !(far.isFinite && far > near) { far = max(deepest * 1.01, near + 1) }
            if style != .suite { (near, far) = (min(near, nearest - 1e-3 * abs(nearest)), max(far, deepest * 1.01)) }
        }
        guard near.isFinite, eye.isFinite, near < far else { return nil }
        self.init(
            lens: lens, eye: eye, right: right, up: up, back: back, near: near, far: far, width: width, height: height)
    }

    /// The given side of the view rules on its own axis, and the other follows from the picture's shape.
    private static func half(
        _ x: Double?, _ y: Double?, _ camera: Camera, _ ratio: Double, _ style: RenderOptions.Style
    ) -> SIMD2<Double>? {
        switch (x, y) {
        case (let x?, let y?):
            if style == .suite { return SIMD2(x, y) }
            // All that the camera sees is in the picture, and no circle is an ellipse.
            return x / y > ratio ? SIMD2(x, x / ratio) : SIMD2(y * ratio, y)
        case (let x?, nil): return SIMD2(x, x / ratio)
        case (nil, let y?): return SIMD2(y * ratio, y)
        case (nil, nil): return nil
        }
    }

    /// The camera of the suite's template, for documents without one.
    ///
    /// - Parameter centimetre: In units of the world.
    static func template(centimetre: Double, width: Int, height: Int) -> Viewpoint {
        let half = Functions.tangent(degrees: 36.9999 / 2)
        return Viewpoint(
            lens: .perspective(SIMD2(half * Double(width) / Double(height), half)), eye: [0, 0, 400 * centimetre],
            right: [1, 0, 0], up: [0, 1, 0], back: [0, 0, 1], near: centimetre, far: 1000 * centimetre, width: width,
            height: height)
    }

    /// Shows all of a box, from the right and above its front. Y is up.
    ///
    /// - Parameter turn: Degrees further to the right; as far away for each. `nil` for as near as the box allows.
    static func fit(_ box: Bounds?, turn: Double? = nil, width: Int, height: Int) -> Viewpoint {
        let box = box ?? Bounds(min: [-1, -1, -1], max: [1, 1, 1])
        let ratio = Double(width) / Double(height)
        let least = Functions.tangent(degrees: 15)
        let half = ratio > 1 ? SIMD2(least * ratio, least) : SIMD2(least, least / ratio)
        let center = box.min + (box.max - box.min) / 2
        let corners = box.corners.map { $0 - center }
        let axes = axes(turn: turn ?? 0)
        let turns = turn == nil ? [axes] : stride(from: 0.0, to: 360, by: 15).map { Self.axes(turn: $0) }
        // A little room around it.
        let margin = 1.06
        var distance = 0.0
        for (right, up, back) in turns {
            for corner in corners {
                let depth = corner.dot(back)
                distance = max(distance, depth + abs(corner.dot(right)) * margin / half.x)
                distance = max(distance, depth + abs(corner.dot(up)) * margin / half.y)
            }
        }
        if !(distance > 0) || !distance.isFinite { distance = 1 }
        let depths = corners.map { distance - $0.dot(axes.back) }
        let near = max((depths.min() ?? distance) * 0.5, distance * 1e-4)
        return Viewpoint(
            lens: .perspective(half), eye: center + axes.back * distance, right: axes.right, up: axes.up,
            back: axes.back, near: near, far: .infinity, width: width, height: height)
    }

    /// Of one who looks from 30 degrees on the right of the front, further by a turn, and 20 above it.
    private static func axes(
        turn: Double
    ) -> (right: SIMD3<Double>, up: SIMD3<Double>, back: SIMD3<Double>) {
        let (side, rise) = (30.0 + turn, 20.0)
        let flat = Functions.cosine(degrees: rise)
        let back = SIMD3(
            Functions.sine(degrees: side) * flat, Functions.sine(degrees: rise), Functions.cosine(degrees: side) * flat)
        let right = SIMD3(0, 1, 0).cross(back).unit
        return (right, back.cross(right), back)
    }
}

extension Bounds {
    var corners: [SIMD3<Double>] {
        (0..<8).map { corner in
            SIMD3(corner & 1 == 0 ? min.x : max.x, corner & 2 == 0 ? min.y : max.y, corner & 4 == 0 ? min.z : max.z)
        }
    }
}

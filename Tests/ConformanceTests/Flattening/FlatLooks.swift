// Materials, lights and cameras as values that can be held against each other.

import Daedalus
import Glibc

extension FlatSurface {
    /// - Parameter pictures: By the scene's images.
    init(_ material: Material, pictures: [String]) {
        self.init(numbers: [:], words: ["shading": material.shading?.rawValue ?? "none"])
        for (index, image) in material.images.enumerated() { words["picture \(index)"] = pictures[image.value] }
    }

    var isTextured: Bool { words.keys.contains { $0.hasPrefix("picture") } }
}

extension FlatLight {
    init(_ light: Light, at matrix: Matrix4, _ metersPerUnit: Double) {
        let direction = matrix.direction(SIMD3(0, 0, -1))
        kind = light.kind?.rawValue ?? "none"
        color = light.color ?? SIMD3(1, 1, 1)
        numbers = []
        switch light.kind {
        case .ambient, nil: break
        case .directional: self.direction = direction
        case .point: position = matrix.origin
        case .spot: (position, self.direction) = (matrix.origin, direction)
        }
    }
}

extension FlatCamera {
    init(_ camera: Camera, at matrix: Matrix4, _ metersPerUnit: Double) {
        position = matrix.origin
        direction = matrix.direction(SIMD3(0, 0, -1))
        up = matrix.direction(SIMD3(0, 1, 0))
        let planes = [camera.near, camera.far].map { ($0 ?? 0) * metersPerUnit }
        switch camera.projection {
        case .perspective(let xfov, let yfov):
            kind = "perspective"
            let tangents = Self.both(xfov.map(Self.tangent), yfov.map(Self.tangent), ratio: camera.aspectRatio)
            numbers = tangents.map { atan($0) * 360 / .pi } + planes
        case .orthographic(let xmag, let ymag):
            kind = "orthographic"
            numbers = Self.both(xmag, ymag, ratio: camera.aspectRatio).map { $0 * metersPerUnit } + planes
        case nil:
            kind = "none"
            numbers = planes
        }
    }

    /// Of half an angle in degrees.
    private static func tangent(_ degrees: Double) -> Double { tan(degrees * .pi / 360) }

    /// What is not said of width and height follows from the other and the aspect ratio, which is 1 unless said.
    private static func both(_ x: Double?, _ y: Double?, ratio: Double?) -> [Double] {
        let ratio = ratio ?? 1
        return [x ?? (y ?? 0) * ratio, y ?? (x ?? 0) / ratio]
    }
}

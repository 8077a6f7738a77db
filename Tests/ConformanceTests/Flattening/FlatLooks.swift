// Materials, lights and cameras as values that can be held against each other.

import Daedalus
import Glibc

extension FlatSurface {
    /// - Parameter pictures: By the scene's images.
    init(_ material: Material, pictures: [Picture]) {
        self.init(words: ["shading": material.shading?.rawValue ?? "none"])
        for property in material.shading?.visible ?? [] {
            // What is not written is black.
            set(property.rawValue, material[property] ?? .color(SIMD4(0, 0, 0, 1)), pictures)
        }
        switch material.opacity {
        case .opaque: numbers["opacity"] = [1]
        case .constant(let value): numbers["opacity"] = [value]
        case .texture(let map):
            set("opacity", .texture(map.texture), pictures)
            words["opacity by"] = "\(map.channel) \(map.sense)"
            numbers["opacity factor"] = [map.factor]
        }
    }

    /// Filters are left out: what is not said of them is up to the viewer, and the suite has pairs that differ in
    /// nothing else.
    private mutating func set(_ name: String, _ value: Material.Value, _ pictures: [Picture]) {
        switch value {
        case .color(let color): numbers[name] = [color.x, color.y, color.z]
        case .number(let number): numbers[name] = [number]
        case .texture(let texture):
            let picture = pictures[texture.image.value]
            if let color = picture.onlyColor {
                numbers[name] = color
                return
            }
            let sampler = texture.sampler
            let wraps = [sampler.wrapS, sampler.wrapT].map { ($0 ?? .wrap).rawValue }
            words[name] = "picture \(picture.content), \(wraps)"
            if let transform = texture.transform { words["\(name) moved by"] = "\(transform)" }
        }
    }
}

extension Shading {
    /// The properties that such a surface shows beside its opacity.
    ///
    /// - Source: COLLADA 1.4.1 and 1.5.0, `constant`, `lambert`, `phong`, `blinn`: their equations.
    fileprivate var visible: [Material.Property] {
        switch self {
        case .constant: [.emission]
        case .lambert: [.emission, .ambient, .diffuse]
        case .phong, .blinn: [.emission, .ambient, .diffuse, .specular, .shininess]
        }
    }
}

extension FlatLight {
    init(_ light: Light, at matrix: Matrix4, _ metersPerUnit: Double) {
        let direction = matrix.direction(SIMD3(0, 0, -1))
        kind = light.kind?.rawValue ?? "none"
        color = light.color ?? SIMD3(1, 1, 1)
        let fading = light.source?.attenuation
        numbers =
            fading.map { [$0.constant, $0.linear / metersPerUnit, $0.quadratic / (metersPerUnit * metersPerUnit)] }
            ?? []
        if let falloff = light.source?.falloff { numbers += [falloff.angle, falloff.exponent] }
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

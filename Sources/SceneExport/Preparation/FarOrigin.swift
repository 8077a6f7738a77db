// The file's numbers have 24 bits: of a mesh in a map's coordinates they keep half a metre. Numbers of nodes are text and
// keep all of it. So what is far from its origin, for its size, is written about a place of its own.

import SceneModel

extension Scene {
    /// The place in its node about which a mesh is written, or in its joints' space where a skin moves it; `nil` for the
    /// origin, as nearly always.
    func farOrigin(of geometry: SceneIndex<Geometry>, _ controller: SceneIndex<Controller>?) -> SIMD3<Double>? {
        guard let bounds = geometries[geometry].measure.bounds else { return nil }
        guard let controller, let skin = skin(of: controller) else { return bounds.farOrigin }
        return bounds.transformed(by: skin.bindShape).farOrigin
    }

    /// Where a node of its own has to take the mesh that an instance shows; joints do that for a skin's.
    ///
    /// - Parameter skinned: The skins of all controllers.
    func farOrigin(of instance: Instance, _ skinned: NearestControllers) -> SIMD3<Double>? {
        switch instance {
        case .geometry(let geometry, materials: _): return farOrigin(of: geometry, nil)
        case .controller(let controller, skeleton: _, materials: _):
            guard !skinned.has(controller), let base = controllers[controller].base else { return nil }
            return farOrigin(of: base, nil)
        case .camera, .light: return nil
        }
    }
}

extension Bounds {
    fileprivate var farOrigin: SIMD3<Double>? {
        let reach = pointwiseMax(pointwiseMax(max, -max), pointwiseMax(min, -min))
        return ((min + max) / 2).farOrigin(reach: reach, size: size.max())
    }
}

extension SIMD3<Double> {
    /// What a number of the file may lose of itself.
    static let lostShare = 0x1p-24

    /// The place, of those axes along which numbers of the file would lose more than what is tolerated of a size; `nil`
    /// where none does. Numbers of the file hold it exactly.
    func farOrigin(reach: SIMD3<Double>, size: Double) -> SIMD3<Double>? {
        guard size > 0, size.isFinite else { return nil }
        var origin = Self.zero
        for axis in 0..<3 where reach[axis] * Self.lostShare > TrackBuilder.tolerance * size {
            let near = Double(Float(self[axis]))
            if near.isFinite { origin[axis] = near }
        }
        return origin == .zero ? nil : origin
    }
}

extension Matrix4 {
    init(translation: SIMD3<Double>) {
        self = .identity
        columns.3 = SIMD4(translation, 1)
    }
}

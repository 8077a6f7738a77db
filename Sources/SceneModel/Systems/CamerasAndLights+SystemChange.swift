// Cameras and lights look along their own −z whatever is up; their lengths hang on no node's matrix.

extension Camera {
    package mutating func convert(by change: SystemChange) {
        near = near.map { change.converted($0, .clippingDistance) }
        far = far.map { change.converted($0, .clippingDistance) }
        switch projection {
        case .orthographic(let xmag, let ymag):
            projection = .orthographic(
                xmag: xmag.map { change.converted($0, .magnification) },
                ymag: ymag.map { change.converted($0, .magnification) })
        case .perspective, nil: break
        }
    }
}

extension Light {
    package mutating func convert(by change: SystemChange) {
        switch source {
        case .point(let attenuation): source = .point(attenuation.converted(by: change))
        case .spot(let attenuation, let falloff): source = .spot(attenuation.converted(by: change), falloff)
        case .ambient, .directional, nil: break
        }
    }
}

extension Light.Attenuation {
    fileprivate func converted(by change: SystemChange) -> Light.Attenuation {
        Light.Attenuation(
            constant: constant, linear: change.converted(linear, .linearAttenuation),
            quadratic: change.converted(quadratic, .quadraticAttenuation))
    }
}

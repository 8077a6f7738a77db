import DaeDiagnostics
import DaeScene
import DaeSchema

extension DocumentReader {
    mutating func decodeCamera(_ view: ElementView) -> ColladaDocument.Camera {
        let optics = view.first(.optics, .techniqueCommon)
        let perspective = optics?.first(.perspective)
        let orthographic = optics?.first(.orthographic)
        let lens = perspective ?? orthographic
        var projection: Camera.Projection?
        if let perspective {
            projection = .perspective(
                xfov: number(in: perspective.first(.xfov)), yfov: number(in: perspective.first(.yfov)))
        } else if let orthographic {
            projection = .orthographic(
                xmag: number(in: orthographic.first(.xmag)), ymag: number(in: orthographic.first(.ymag)))
        } else {
            log.add(
                .cameraInvalid, at: view.place,
                "the camera has no <perspective> or <orthographic> in its optics' <technique_common>")
        }
        return ColladaDocument.Camera(
            position: view.position,
            camera: Camera(
                id: view.attribute(.id), name: view.attribute(.name), projection: projection,
                aspectRatio: number(in: lens?.first(.aspectRatio)), near: number(in: lens?.first(.znear)),
                far: number(in: lens?.first(.zfar))),
            parameters: parameters(of: lens))
    }

    mutating func decodeLight(_ view: ElementView) -> ColladaDocument.Light {
        let element = view.first(.techniqueCommon)?.children.first { child in
            switch child.name {
            case .ambient, .directional, .point, .spot: true
            default: false  // element names: every other one is no light
            }
        }
        let source = element.flatMap { decodeLightSource($0) }
        if source == nil {
            log.add(
                .lightInvalid, at: view.place,
                "the light has no <ambient>, <directional>, <point> or <spot> in a <technique_common>")
        }
        let color = element?.first(.color).flatMap { numbers(in: $0, count: 3) }
        return ColladaDocument.Light(
            position: view.position,
            light: Light(
                id: view.attribute(.id), name: view.attribute(.name), source: source,
                color: color.map { SIMD3($0[0], $0[1], $0[2]) }, intensity: intensity(of: view)),
            parameters: parameters(of: element))
    }

    /// FCollada writes colours of 0 to 1 and beside them how bright they are.
    private mutating func intensity(of view: ElementView) -> Double? {
        for extra in view.extras where MaterialExtras.isKnown(extra.profile) {
            for element in extra.elements where element.localName == "intensity" {
                if let number = element.number, number >= 0 { return number }
            }
        }
        return nil
    }

    private mutating func decodeLightSource(_ view: ElementView) -> Light.Source? {
        switch view.name {
        case .ambient: .ambient
        case .directional: .directional
        case .point: .point(decodeAttenuation(view))
        case .spot: .spot(decodeAttenuation(view), decodeFalloff(view))
        default: nil  // element names: every other one is no light
        }
    }

    private mutating func decodeAttenuation(_ view: ElementView) -> Light.Attenuation {
        Light.Attenuation(
            constant: number(in: view.first(.constantAttenuation)) ?? 1,
            linear: number(in: view.first(.linearAttenuation)) ?? 0,
            quadratic: number(in: view.first(.quadraticAttenuation)) ?? 0)
    }

    private mutating func decodeFalloff(_ view: ElementView) -> Light.Falloff {
        Light.Falloff(
            angle: number(in: view.first(.falloffAngle)) ?? 180, exponent: number(in: view.first(.falloffExponent)) ?? 0
        )
    }

    /// What can be moved of a camera or light, by sid: of two with one sid the first.
    private mutating func parameters<Parameter: RawRepresentable<String>>(of view: ElementView?) -> [String: Parameter]
    {
        var parameters: [String: Parameter] = [:]
        guard let view else { return parameters }
        for child in view.children {
            guard let sid = child.attribute(.sid), parameters[sid] == nil,
                let parameter = Parameter(rawValue: child.name.rawValue)
            else { continue }
            parameters[sid] = parameter
        }
        return parameters
    }
}

import DaeDiagnostics
import DaeScene
import DaeSchema

/// Reads cameras and lights.
enum OpticsReader {
    static func camera(_ view: ElementView, _ context: inout ReadingContext) -> ColladaDocument.Camera {
        let optics = view.first(.optics, .techniqueCommon)
        let perspective = optics?.first(.perspective)
        let orthographic = optics?.first(.orthographic)
        let lens = perspective ?? orthographic
        var projection: Camera.Projection?
        if let perspective {
            projection = .perspective(
                xfov: context.number(in: perspective.first(.xfov)), yfov: context.number(in: perspective.first(.yfov)))
        } else if let orthographic {
            projection = .orthographic(
                xmag: context.number(in: orthographic.first(.xmag)), ymag: context.number(in: orthographic.first(.ymag))
            )
        } else {
            context.log.add(
                .cameraInvalid, at: view.place,
                "the camera has no <perspective> or <orthographic> in its optics' <technique_common>")
        }
        return ColladaDocument.Camera(
            position: view.position,
            camera: Camera(
                id: view.attribute(.id), name: view.attribute(.name), projection: projection,
                aspectRatio: context.number(in: lens?.first(.aspectRatio)),
                near: context.number(in: lens?.first(.znear)), far: context.number(in: lens?.first(.zfar))),
            parameters: parameters(of: lens))
    }

    static func light(_ view: ElementView, _ context: inout ReadingContext) -> ColladaDocument.Light {
        let element = view.first(.techniqueCommon)?.children.first { child in
            switch child.name {
            case .ambient, .directional, .point, .spot: true
            default: false  // element names: every other one is no light
            }
        }
        let source = element.flatMap { lightSource($0, &context) }
        if source == nil {
            context.log.add(
                .lightInvalid, at: view.place,
                "the light has no <ambient>, <directional>, <point> or <spot> in a <technique_common>")
        }
        let color = element?.first(.color).flatMap { context.numbers(in: $0, count: 3) }
        return ColladaDocument.Light(
            position: view.position,
            light: Light(
                id: view.attribute(.id), name: view.attribute(.name), source: source,
                color: color.map { SIMD3($0[0], $0[1], $0[2]) }, intensity: intensity(of: view)),
            parameters: parameters(of: element))
    }

    /// FCollada writes colours of 0 to 1 and beside them how bright they are.
    private static func intensity(of view: ElementView) -> Double? {
        for extra in view.extras where MaterialExtras.isKnown(extra.profile) {
            for element in extra.elements where element.localName == "intensity" {
                if let number = element.number, number >= 0 { return number }
            }
        }
        return nil
    }

    private static func lightSource(_ view: ElementView, _ context: inout ReadingContext) -> Light.Source? {
        switch view.name {
        case .ambient: .ambient
        case .directional: .directional
        case .point: .point(attenuation(view, &context))
        case .spot: .spot(attenuation(view, &context), falloff(view, &context))
        default: nil  // element names: every other one is no light
        }
    }

    private static func attenuation(_ view: ElementView, _ context: inout ReadingContext) -> Light.Attenuation {
        Light.Attenuation(
            constant: context.number(in: view.first(.constantAttenuation)) ?? 1,
            linear: context.number(in: view.first(.linearAttenuation)) ?? 0,
            quadratic: context.number(in: view.first(.quadraticAttenuation)) ?? 0)
    }

    private static func falloff(_ view: ElementView, _ context: inout ReadingContext) -> Light.Falloff {
        Light.Falloff(
            angle: context.number(in: view.first(.falloffAngle)) ?? 180,
            exponent: context.number(in: view.first(.falloffExponent)) ?? 0
        )
    }

    /// What can be moved of a camera or light, by sid: of two with one sid the first.
    private static func parameters<Parameter: RawRepresentable<String>>(of view: ElementView?) -> [String: Parameter] {
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

import Diagnostics
import SceneModel

extension DocumentReader {
    func decodeCamera(_ view: ElementView) -> ColladaDocument.Camera {
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
                far: number(in: lens?.first(.zfar))))
    }

    func decodeLight(_ view: ElementView) -> ColladaDocument.Light {
        let kinds: [ElementName: Light.Kind] = [
            .ambient: .ambient, .directional: .directional, .point: .point, .spot: .spot,
        ]
        let source = view.first(.techniqueCommon)?.children.first { kinds[$0.name] != nil }
        let kind = source.flatMap { kinds[$0.name] }
        if kind == nil {
            log.add(
                .lightInvalid, at: view.place,
                "the light has no <ambient>, <directional>, <point> or <spot> in a <technique_common>")
        }
        let color = source?.first(.color).flatMap { numbers(in: $0, count: 3) }
        return ColladaDocument.Light(
            position: view.position,
            light: Light(
                id: view.attribute(.id), name: view.attribute(.name), kind: kind,
                color: color.map { SIMD3($0[0], $0[1], $0[2]) }))
    }
}

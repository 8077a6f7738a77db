import DaeMesh
import DaeScene

/// Finds the camera that a picture is taken with.
struct CameraChooser {
    struct Choice {
        let view: Viewpoint
        /// For people.
        let note: String
        var isFit = false
        var isTemplate = false
    }

    private let scene: Scene
    private let cameras: [DrawnOptic<Camera>]
    private let options: RenderOptions

    init(_ scene: Scene, _ drawing: Drawing, _ cameras: [DrawnOptic<Camera>], _ options: RenderOptions) {
        self.scene = scene
        self.cameras = cameras
        self.options = options
    }

    /// - Parameter box: Of what is drawn.
    func choose(_ box: Bounds?) throws(RenderError) -> Choice {
        switch options.camera {
        case .fit: return fit(box)
        case .turned(let degrees):
            let view = Viewpoint.fit(box, turn: degrees, width: options.width, height: options.height)
            return Choice(view: view, note: "turned by \(degrees)", isFit: true)
        case .named(let name):
            guard let camera = cameras.first(where: { names(of: $0).contains(name) }) else {
                throw RenderError(reason: .noCamera(name, known: known))
            }
            guard let view = view(camera, box) else {
                throw RenderError(reason: .failed("the camera \(name) has no optics that can be used"))
            }
            return Choice(view: view, note: title(of: camera))
        case .automatic:
            var order = cameras
            if options.style == .suite, let test = cameras.first(where: { names(of: $0).contains("testCamera") }) {
                order.insert(test, at: 0)
            }
            for camera in order {
                if let view = view(camera, box) { return Choice(view: view, note: title(of: camera)) }
            }
            guard options.style == .suite else { return fit(box) }
            let view = Viewpoint.template(
                centimetre: 0.01 / scene.metersPerUnit, width: options.width, height: options.height)
            return Choice(view: view, note: "that of the suite's template", isTemplate: true)
        }
    }

    private func fit(_ box: Bounds?) -> Choice {
        Choice(
            view: .fit(box, width: options.width, height: options.height), note: "fit, which shows all of the scene",
            isFit: true)
    }

    private func view(_ camera: DrawnOptic<Camera>, _ box: Bounds?) -> Viewpoint? {
        Viewpoint(
            scene.cameras[camera.shown], world: camera.world, box: box, style: options.style, width: options.width,
            height: options.height)
    }

    private func names(of camera: DrawnOptic<Camera>) -> [String] {
        let (shown, node) = (scene.cameras[camera.shown], scene.nodes[camera.node])
        return [shown.id, shown.name, node.id, node.name].compactMap(\.self)
    }

    private func title(of camera: DrawnOptic<Camera>) -> String {
        names(of: camera).first ?? "the first, without a name"
    }

    /// The names of all that are there, each once.
    private var known: [String] {
        var known: [String] = []
        for camera in cameras {
            if let name = names(of: camera).first, !known.contains(name) { known.append(name) }
        }
        return known
    }
}

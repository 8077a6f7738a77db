import DaeDiagnostics
package import DaeScene

/// A scene as formats without nodes have it: each mesh as often as it is shown, where it stands in the world, in one pose.
///
/// Instances are posed one by one, as a writer asks for them: a small document may show a large mesh many times.
package struct BakedScene {
    /// Posed where ``ExportOptions/time`` says so.
    package let scene: Scene
    package let options: ExportOptions
    package let budget: ConversionBudget
    package let drawing: Drawing
    private let pose: DrawnPose
    private let isCancelled: () -> Bool

    /// - Parameters:
    ///   - images: `nil` for a format without materials.
    ///   - report: Gets what no such format has.
    package init(
        _ scene: Scene, images: ExportImages?, options: ExportOptions, budget: ConversionBudget,
        isCancelled: @escaping () -> Bool, _ report: inout FidelityReport
    ) throws(SceneExportError) {
        self.options = options
        self.budget = budget
        self.isCancelled = isCancelled
        if let time = options.time {
            self.scene = PreparedScene.posed(scene, at: time, &report)
        } else {
            report.add(.dropped, .animations, count: scene.animations.count)
            self.scene = scene
        }
        var wanted = Drawing.Options()
        wanted.system = options.system(of: self.scene)
        wanted.textureOrigin = .bottomLeft
        wanted.influences = options.influences
        wanted.invisibleSurfaces = options.invisibleSurfaces
        wanted.missingNormals = .absent
        wanted.nodeLimit = options.nodeLimit
        drawing = try Drawing(
            self.scene, images: images ?? .none, options: wanted, budget, isCancelled: isCancelled)
        pose = drawing.pose()
        report.add(drawing.report) { subject in
            guard subject.fidelityClass == .material else { return true }
            // These are of surfaces; what keeps materials has COLLADA's own models of light.
            return images != nil && ![.shading, .specular, .ambient].contains(subject)
        }
        if images != nil { noteTextures(&report) }
        noteNodes(&report)
        if images == nil { report.add(.dropped, .materials, count: Set(drawing.surfaces.map(\.material)).count) }
    }

    /// Reports textures of properties that have none in ``Surface``.
    private func noteTextures(_ report: inout FidelityReport) {
        for index in Set(drawing.surfaces.compactMap(\.material)).sorted(by: { $0.value < $1.value }) {
            let material = scene.materials[index]
            let place = material.id ?? material.name
            if material[.specular]?.texture != nil { report.add(.dropped, .specular, at: place) }
            if material[.ambient]?.texture != nil { report.add(.dropped, .ambient, at: place) }
            if material.shading == nil { report.add(.dropped, .shading, at: place) }
        }
    }

    private func noteNodes(_ report: inout FidelityReport) {
        let shown = Set(drawing.stage.shown.map { drawing.stage.unfolded.node(at: $0) })
        report.add(.dropped, .hierarchy, count: scene.nodes.indices.count { scene.nodes[$0].role.isElement })
        let hidden = HiddenNodes(of: scene)
        for index in scene.nodes.indices where scene.nodes[index].isHidden {
            let node = scene.nodes[index]
            report.add(hidden.contains(index) ? .dropped : .approximated, .visibility, at: node.id ?? node.name)
        }
        for node in scene.nodes.indices.map({ SceneIndex<Node>($0) }) where shown.contains(node) {
            for case .matrix(let given) in scene.nodes[node].transforms where !given.isAffine {
                report.add(.dropped, .lastRows, at: scene.nodes[node].id ?? scene.nodes[node].name)
            }
            for instance in scene.nodes[node].instances {
                switch instance {
                case .geometry: break
                case .controller(let controller, skeleton: _, materials: _):
                    report.add(.dropped, .deformers, at: scene.controllers[controller].id)
                case .camera(let camera): report.add(.dropped, .cameras, at: scene.cameras[camera].id)
                case .light(let light): report.add(.dropped, .lights, at: scene.lights[light].id)
                }
            }
        }
        scene.noteTheRest(&report) { drawing.stage.unfolded.firstPlace(of: $0) != nil }
    }

    /// How many triangles or lines are drawn, those of each instance.
    package func count(of topology: DrawnPart.Topology) throws(SceneExportError) -> Int {
        try sum(topology) { $0.indices.count / (topology == .triangles ? 3 : 2) }
    }

    /// Vertices of triangles or lines, those of each instance.
    package func vertexCount(of topology: DrawnPart.Topology) throws(SceneExportError) -> Int {
        try sum(topology) { $0.vertexCount }
    }

    private func sum(_ topology: DrawnPart.Topology, _ amount: (DrawnPart) -> Int) throws(SceneExportError) -> Int {
        let amounts = drawing.meshes.map { mesh in
            mesh.parts.reduce(0) { $0 + ($1.topology == topology ? amount($1) : 0) }
        }
        var sum = 0
        for instance in drawing.instances {
            let (more, isOver) = sum.addingReportingOverflow(amounts[instance.mesh])
            guard !isOver else {
                throw SceneExportError(.outputTooLarge, "the scene has more triangles or lines than can be counted")
            }
            sum = more
        }
        return sum
    }

    /// Whether each part of some topology that is shown has something, and whether any has.
    package func parts(
        of topology: DrawnPart.Topology, have property: (DrawnPart) -> Bool
    ) -> (all: Bool, any: Bool) {
        let parts = drawing.meshes.lazy.flatMap(\.parts).filter { $0.topology == topology }
        return (parts.allSatisfy(property), parts.contains(where: property))
    }

    /// A part of an instance's mesh where it stands.
    package func part(_ part: Int, of instance: Int) throws(SceneExportError) -> DrawnPart {
        if isCancelled() { throw SceneExportError.stopped }
        let drawn = drawing.meshes[drawing.instances[instance].mesh].parts[part]
        try budget.blend(corners: drawn.vertexCount, targets: drawn.targets.count)
        return drawn.posed(pose, instance: instance)
    }

    /// The name of the node that shows an instance; `nil` where it has none.
    package func name(of instance: Int) -> String? {
        let node = scene.nodes[drawing.instances[instance].node]
        return node.name ?? node.id
    }

    /// Reports parts that are lines.
    package func dropLines(_ report: inout FidelityReport) {
        for mesh in drawing.meshes {
            report.add(.dropped, .lines, count: mesh.parts.count { $0.topology == .lines }, at: mesh.name)
        }
    }

    /// Reports parts of triangles of which something has no place in the format.
    package func dropAttributes(_ report: inout FidelityReport, where isDropped: (DrawnPart) -> Bool) {
        for mesh in drawing.meshes {
            let count = mesh.parts.count { $0.topology == .triangles && isDropped($0) }
            report.add(.dropped, .attributes, count: count, at: mesh.name)
        }
    }
}

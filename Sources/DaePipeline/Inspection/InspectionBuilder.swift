// Puts the figures together once everything was read.

import DaeArchive
import DaeCollada
import DaeDiagnostics
import DaeImages
import DaeResources
import DaeScene
import DaeValidation

struct InspectionBuilder {
    let bundle: Bundle
    let choice: SceneChoice
    /// The one that was chosen: what is counted are its elements.
    let document: ColladaDocument
    let nodes: NodeCount
    /// Of all documents.
    let allNodes: NodeCount
    /// With those it refers to: rows and the scene's figures are of all.
    let linked: LinkedDocument
    let scene: Scene
    let bounds: SceneBounds
    var log: FindingLog
    private let census: SceneCensus
    private let validates: Bool

    init(
        bundle: Bundle, choice: SceneChoice, document: ColladaDocument, nodes: NodeCount, allNodes: NodeCount,
        linked: LinkedDocument, scene: Scene, bounds: SceneBounds, log: FindingLog, validates: Bool
    ) {
        self.bundle = bundle
        self.choice = choice
        self.document = document
        self.nodes = nodes
        self.allNodes = allNodes
        self.linked = linked
        self.scene = scene
        self.bounds = bounds
        self.log = log
        self.validates = validates
        census = SceneCensus(of: scene)
    }

    consuming func build(
        input: String, resources: ImageResources, isCancelled: () -> Bool
    ) -> (inspection: Inspection, references: [FollowedReference]) {
        var resources = resources
        let needed = sampledImages
        let images = zip(scene.images.indices, linked.document.images).map { index, element in
            let image = scene.images[index]
            let place = element.place(in: image.base ?? choice.entry.path)
            return resources.row(of: image, at: place, isNeeded: needed[index], &log, isCancelled)
        }
        let used = resources.used.union(linked.paths.compactMap { $0 })
        let sceneSummary = summarizeScene()
        let (unused, duplicates) = (unused(beside: used), duplicates())
        let counts = counts()
        if validates {
            TextureMemory(images).check(at: Place(entry: choice.entry.path), &log)
            hold(.init(census: census, sizeInMeters: sceneSummary.sizeInMeters, unused: unused, duplicates: duplicates))
        }
        let inspection = Inspection(
            source: .init(input: input, kind: bundle.kind, bytes: bundle.size, sha256: nil),
            bundle: .init(
                entries: bundle.entries.count, bytes: bundle.entries.reduce(0) { $0.addingSaturated($1.size) },
                scenePath: choice.entry.path, rule: choice.rule, manifest: choice.namingManifest,
                candidates: choice.candidates,
                models: choice.parts.map(\.entry.path), unused: unused, duplicates: duplicates),
            document: summarizeDocument(), counts: counts, physics: .init(document),
            kinematics: .init(document), scene: sceneSummary, geometries: geometryRows(),
            materials: materialRows(), images: images,
            animations: animationRows(),
            animationClips: scene.clips.map {
                .init(id: $0.id, name: $0.name, start: $0.start, end: $0.end, animations: $0.animations.count)
            },
            cameras: scene.cameras.map { .init(camera: $0) }, lights: scene.lights.map { .init(light: $0) },
            controllers: scene.controllers.map { .init(id: $0.id, name: $0.name, kind: $0.kind) },
            linked: linkedSummary(counts), findings: log)
        return (inspection, resources.references)
    }

    /// Holds the rules over the whole against what was read.
    private mutating func hold(_ measures: SceneRules.Measures) {
        let reported = SceneRules.findings(
            in: .init(
                entry: choice.entry.path, document: document, linked: linked, scene: scene,
                measures: measures, reported: log))
        log.merge(reported)
    }

    private func unused(beside used: Set<String>) -> [String] {
        switch bundle.kind {
        case .dae: []
        case .zip, .zae, .kmz, .folder:
            // One of several models says nothing of what the others need.
            choice.standing != .alone || choice.rule == .given && !choice.candidates.allSatisfy(used.contains)
                ? [] : unused(in: bundle, beside: used)
        }
    }

    private func unused(in bundle: Bundle, beside used: Set<String>) -> [String] {
        let opened = Set(used.lazy.flatMap(\.foldersAround))
        let (shown, manifests) = (Set(choice.parts.map(\.entry.path)), Set(choice.manifests))
        let failed = Set(bundle.nestingFindings.findings.lazy.compactMap(\.place.entry))
        return bundle.entries.lazy.filter { !$0.isJunk && !($0.role == .archive && opened.contains($0.path)) }
            .map(\.path).filter {
                $0 != choice.entry.path && !manifests.contains($0) && !used.contains($0) && !shown.contains($0)
                    && !failed.contains($0)
                    // It is what uses the scene.
                    && RobotDescription.Format(named: $0) == nil
            }
    }

    /// In the bundle's order; reported with the first of its models.
    private func duplicates() -> [[String]] {
        if choice.standing == .further { return [] }
        struct Content: Hashable {
            let size: Int64
            let crc32: UInt32
        }
        var paths: [Content: [String]] = [:]
        var order: [Content] = []
        for entry in bundle.entries where entry.size > 0 && !entry.isJunk {
            guard let crc32 = entry.crc32 else { continue }
            let content = Content(size: entry.size, crc32: crc32)
            if paths[content] == nil { order.append(content) }
            paths[content, default: []].append(entry.path)
        }
        return order.compactMap { content in paths[content].flatMap { $0.count > 1 ? $0 : nil } }
    }

    private func summarizeDocument() -> Inspection.DocumentSummary {
        let contributors = document.asset?.contributors ?? []
        func distinct(_ names: [String?]) -> [String] {
            // Beside the list, for a document may name as many as it has room for.
            var known: Set<String> = []
            return names.compactMap(\.self).filter { known.insert($0).inserted }
        }
        return Inspection.DocumentSummary(
            version: document.version, encoding: document.encoding, bytes: document.bytes,
            authoringTools: distinct(contributors.map(\.authoringTool)), upAxis: scene.upAxis,
            unitName: document.asset?.unit?.name, metersPerUnit: scene.metersPerUnit,
            statesUnit: document.asset?.unit?.meter != nil, authors: distinct(contributors.map(\.author)),
            copyrights: distinct(contributors.map(\.copyright)), created: document.asset?.created,
            modified: document.asset?.modified, title: document.asset?.title)
    }

    private func counts() -> Inspection.Counts {
        var counts = Inspection.Counts(elementsOf: document, nodes: nodes)
        for geometry in census.geometries {
            let measure = scene.geometries[geometry].measure
            counts.submeshes += measure.submeshes
            counts.triangles += measure.triangles
            counts.faceCorners += measure.faceCorners
            counts.positions += measure.positions
            counts.lines += measure.lines
        }
        return counts
    }

    /// `nil` where the document is alone.
    private func linkedSummary(_ own: Inspection.Counts) -> Inspection.Linked? {
        guard linked.paths.count > 1 else { return nil }
        let all = Inspection.Counts(elementsOf: linked.document, nodes: allNodes)
        return Inspection.Linked(
            documents: linked.paths.dropFirst().compactMap { $0 }, counts: all.without(own), own: own)
    }

    private mutating func summarizeScene() -> Inspection.SceneSummary {
        if !bounds.isExact {
            log.add(
                .sceneBoundsApproximate, at: Place(entry: choice.entry.path),
                "the bounds may be larger than the scene: too many turned instances, or numbers too large")
        }
        return Inspection.SceneSummary(
            name: scene.name ?? scene.id, nodes: census.nodes, depth: census.depth, instances: census.instances,
            triangles: census.triangles, bounds: bounds.box, sizeInMeters: bounds.box.flatMap { sizeInMeters($0) })
    }

    /// `nil`, and reported, when a number of it is beyond what a `Double` holds: JSON would have no word for it.
    private mutating func sizeInMeters(_ bounds: Bounds) -> SIMD3<Double>? {
        let size = bounds.size * scene.metersPerUnit
        guard size.x.isFinite, size.y.isFinite, size.z.isFinite else {
            log.add(
                .sceneBoundsApproximate, at: Place(entry: choice.entry.path),
                "the scene's size in metres is left out: it is too large for a number")
            return nil
        }
        return size
    }

    private func geometryRows() -> [Inspection.GeometryRow] {
        let geometries = linked.document.geometries
        var isUsed = [Bool](repeating: false, count: geometries.count)
        for index in census.geometries { isUsed[index.value] = true }
        return geometries.indices.map { index in
            .init(
                id: geometries[index].id, name: geometries[index].name, kind: geometries[index].kind.name,
                isUsed: isUsed[index], measure: geometries[index].measure)
        }
    }

    // Rows by index: an element taken out of its list would be copied, with all it holds.

    private func animationRows() -> [Inspection.AnimationRow] {
        let animations = linked.document.animations
        return animations.indices.map { index in
            .init(
                id: animations[index].id, name: animations[index].name, channels: animations[index].channels.count,
                span: animations[index].span)
        }
    }

    /// Of each image, whether a material samples it.
    private var sampledImages: [Bool] {
        var sampled = [Bool](repeating: false, count: scene.images.count)
        guard !sampled.isEmpty else { return sampled }
        for index in scene.materials.indices {
            for image in TexturesInUse(of: scene.materials, index).images { sampled[image.value] = true }
        }
        return sampled
    }

    private func materialRows() -> [Inspection.MaterialRow] {
        var isUsed = [Bool](repeating: false, count: scene.materials.count)
        for index in census.materials { isUsed[index.value] = true }
        let materials = scene.materials
        return materials.indices.map { index in
            let textures = TexturesInUse(of: materials, index)
            return .init(
                id: materials[index].id, name: materials[index].name, effect: materials[index].effectID,
                shading: materials[index].shading, isUsed: isUsed[index],
                images: textures.images.compactMap { scene.images[$0].id }, opacity: materials[index].opacity,
                sides: materials[index].sides,
                textures: textures.all.map { property, texture in
                    .init(property: property, image: scene.images[texture.image].id, texcoord: texture.texcoord)
                })
        }
    }
}

extension Int64 {
    func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}

extension String {
    /// The paths of all folders that a path leads through, or of archives in their place.
    fileprivate var foldersAround: [String] {
        utf8.indices.filter { utf8[$0] == UInt8(ascii: "/") }.map { String(self[..<$0]) }
    }
}

/// The nodes of a document, which is asked for them before it forgets them.
struct NodeCount {
    let all: Int
    let joints: Int

    init(of document: ColladaDocument) {
        all = document.nodes.count
        joints = document.nodes.count { $0.kind == .joint }
    }
}

// Documents beside the one that was chosen: those it refers to, and those that a manifest shows with it.

extension Inspection {
    /// What the documents hold that are read beside the chosen one.
    ///
    /// Their rows stand behind those of the chosen document in the lists of ``Inspection``.
    package struct Linked: Sendable, Equatable {
        /// Their paths, as far as they are known, in the order in which they were met.
        package var documents: [String]
        /// Their elements; what is counted of geometries in use is counted of all documents in ``Inspection/counts``.
        package var counts: Counts
        /// How many rows of each list are the chosen document's own.
        var own: Counts
    }
}

extension Inspection.Counts {
    /// The elements that stand in a document.
    ///
    /// - Parameter nodes: Of the document, which may have forgotten them.
    init(elementsOf document: ColladaDocument, nodes: NodeCount) {
        geometries = document.geometries.count
        materials = document.materials.count
        effects = document.effects.count
        images = document.images.count
        cameras = document.cameras.count
        lights = document.lights.count
        controllers = document.controllers.count
        for index in document.controllers.indices {
            switch document.controllers[index].kind {
            case .skin: skins += 1
            case .morph: morphs += 1
            case .empty: break
            }
        }
        joints = nodes.joints
        animations = document.animations.count
        animationChannels = document.animations.indices.reduce(0) { $0 + document.animations[$1].channels.count }
        animationClips = document.animationClips.count
        self.nodes = nodes.all
        visualScenes = document.visualScenes.count
        physicsScenes = document.physicsScenes.count
        kinematicsScenes = document.kinematicsScenes.count
    }

    private static var elements: [WritableKeyPath<Self, Int>] {
        [
            \.geometries, \.materials, \.effects, \.images, \.cameras, \.lights, \.controllers, \.skins, \.morphs,
            \.joints, \.animations, \.animationChannels, \.animationClips, \.nodes, \.visualScenes, \.physicsScenes,
            \.kinematicsScenes,
        ]
    }

    /// Those of two documents together; what is counted of geometries in use stays.
    package func with(elementsOf other: Self) -> Self {
        var sum = self
        for element in Self.elements { sum[keyPath: element] += other[keyPath: element] }
        return sum
    }

    /// The elements without those of a part; what is counted of geometries in use is left out.
    func without(_ part: Self) -> Self {
        var rest = Self()
        for element in Self.elements {
            rest[keyPath: element] = max(0, self[keyPath: element] - part[keyPath: element])
        }
        return rest
    }
}

extension Inspection {
    /// The elements of all documents, and what is counted of geometries in use.
    package var allCounts: Counts { linked.map { counts.with(elementsOf: $0.counts) } ?? counts }

    /// Of a list's rows those of the chosen document.
    func own<Row>(_ rows: [Row], _ count: KeyPath<Counts, Int>) -> ArraySlice<Row> {
        linked.map { rows.prefix($0.own[keyPath: count]) } ?? rows[...]
    }

    private func others<Row>(_ rows: [Row], _ count: KeyPath<Counts, Int>) -> ArraySlice<Row> {
        linked.map { rows.dropFirst($0.own[keyPath: count]) } ?? []
    }

    /// `null` where one document was read.
    var linkedJSON: JSONValue {
        guard let linked else { return .null }
        return [
            "documents": JSONValue(linked.documents), "counts": linked.counts.json,
            "geometries": .array(others(geometries, \.geometries).map(\.row.json)),
            "materials": .array(others(materials, \.materials).map(\.row.json)),
            "images": .array(others(images, \.images).map(\.row.json)),
            "animations": .array(others(animations, \.animations).map(\.json)),
            "animationClips": .array(others(animationClips, \.animationClips).map(\.json)),
            "cameras": .array(others(cameras, \.cameras).map(\.json)),
            "lights": .array(others(lights, \.lights).map(\.json)),
            "controllers": .array(others(controllers, \.controllers).map(\.json)),
        ]
    }
}

// What the scene shows: a visual scene, or the models that a manifest shows together, each below a node that puts it in
// its place.

import DaeDiagnostics
import DaeScene
import DaeXML

/// Chooses the scene's roots.
struct SceneRoots {
    /// How many of the roots are each shown model's; empty where the scene is one model's as it is.
    private var counts: [Int] = []

    /// Whether several models make the scene together.
    var areOfSeveralModels: Bool { counts.count > 1 }

    /// - Throws: ``CodedFailure`` when there is no such visual scene as was asked for, or more roots than there may be nodes.
    mutating func choose(in context: inout SceneContext) throws(CodedFailure) {
        try chooseVisualScene(in: &context)
        try addShownModels(to: &context)
    }

    private func chooseVisualScene(in context: inout SceneContext) throws(CodedFailure) {
        var chosen = context.wantedVisualScene
        if let wanted = context.options.visualScene {
            guard chosen != nil else { throw context.document.unknownVisualScene(wanted) }
        } else if let reference = context.document.scene?.visualScene {
            chosen = context.find(reference, .visualScene, else: .sceneInstanceUnresolved)
        } else if let own = context.document.scene?.own {
            chosen = own
        } else if context.document.firstVisualScene != nil {
            context.log.add(.sceneMissing, "no visual scene is instanced; the first one is used")
        }
        guard let index = chosen ?? context.document.firstVisualScene else { return }
        let visual = context.document.visualScenes[index]
        context.scene.id = visual.id
        context.scene.name = visual.name
        context.scene.roots = visual.nodes.map { SceneIndex($0) }
    }

    // MARK: - Shown models

    /// Adds the roots of all models that are shown, in their order.
    private mutating func addShownModels(to context: inout SceneContext) throws(CodedFailure) {
        guard !context.shared.linked.shown.isEmpty else { return }
        let own = context.scene.roots
        context.scene.roots = []
        for shown in context.shared.linked.shown {
            let roots = shown.document == 0 ? own : Self.roots(of: shown.document, in: &context)
            try context.checkLimit(context.scene.roots.count + roots.count, "roots")
            context.scene.roots += roots
            counts.append(roots.count)
        }
    }

    private static func roots(of number: Int, in context: inout SceneContext) -> [SceneIndex<Node>] {
        var chosen: Int?
        if let reference = context.shared.linked.scenes[number]?.visualScene {
            chosen = context.find(reference, .visualScene, else: .sceneInstanceUnresolved)
        }
        guard
            let index = chosen ?? context.document.visualScenes.firstIndex(where: { $0.position.document == number })
        else { return [] }
        return context.document.visualScenes[index].nodes.map { SceneIndex($0) }
    }

    /// Adds roots, and of models that are shown together to those that have the nodes which need them.
    ///
    /// - Throws: ``CodedFailure`` when these are more than there may be nodes.
    mutating func add(
        _ brought: [(root: SceneIndex<Node>, node: Int)], to context: inout SceneContext
    ) throws(CodedFailure) {
        guard !counts.isEmpty else {
            context.scene.roots += brought.map(\.root)
            return
        }
        let documents = context.shared.linked.shown.map(\.document)
        let models = counts.reduce(into: [Range<Int>]()) { models, count in
            let start = models.last?.upperBound ?? 0
            models.append(start..<start + count)
        }
        let owners = context.scene.firstReached(by: models)
        // A document that is shown twice has the same roots twice.
        let byDocument = Dictionary(grouping: brought.filter { owners[$0.node] >= 0 }) { documents[owners[$0.node]] }
        var roots: [SceneIndex<Node>] = []
        for (model, range) in models.enumerated() {
            let own = byDocument[documents[model]] ?? []
            try context.checkLimit(roots.count + range.count + own.count, "roots")
            roots += context.scene.roots[range] + own.map(\.root)
            counts[model] += own.count
        }
        context.scene.roots = roots
    }

    /// Puts a node above the roots of each model that is moved. All roots are in the scene's own units and axes by then.
    func placeShownModels(in context: inout SceneContext) {
        guard !counts.isEmpty else { return }
        var rest = context.scene.roots[...]
        context.scene.roots = []
        for (shown, count) in zip(context.shared.linked.shown, counts) {
            let roots = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
            guard !shown.model.transforms.isEmpty, !roots.isEmpty else {
                context.scene.roots += roots
                continue
            }
            let system = context.scene.coordinateSystem
            let transforms = shown.model.transforms.map { $0.turned(into: system) }
            context.scene.roots.append(SceneIndex(context.scene.nodes.count))
            var placing = Node(
                id: nil, name: shown.model.name, sid: nil, kind: .node, transforms: transforms, children: roots)
            placing.role = .placement
            context.scene.nodes.append(placing)
        }
    }
}

extension SceneContext {
    /// The visual scene that was asked for, by its id before its name; `nil` where none was.
    fileprivate var wantedVisualScene: Int? {
        guard let wanted = options.visualScene else { return nil }
        let own = document.visualScenes.indices.filter { document.visualScenes[$0].position.document == 0 }
        return own.first { document.visualScenes[$0].id == wanted }
            ?? own.first { document.visualScenes[$0].name == wanted }
    }

    /// Where the visual scene begins that will be shown; `nil` where it is in another document.
    var shownPosition: XMLPosition? {
        if let wanted = wantedVisualScene { return document.visualScenes[wanted].position }
        if let reference = document.scene?.visualScene {
            guard reference.file == nil, let index = table.lookUp(reference.id, in: 0, .visualScene) else { return nil }
            return document.visualScenes[index].position
        }
        return (document.scene?.own ?? document.firstVisualScene).map { document.visualScenes[$0].position }
    }
}

extension ColladaDocument {
    /// The first document's first; others lend what is asked of them, no scene of their own.
    fileprivate var firstVisualScene: Int? {
        visualScenes.first.flatMap { $0.position.document == 0 ? 0 : nil }
    }

    fileprivate func unknownVisualScene(_ wanted: String) -> CodedFailure {
        let known = visualScenes.prefix(20).compactMap { $0.id ?? $0.name }.map { "\"\($0)\"" }
        let others = visualScenes.count > known.count ? " and \(visualScenes.count - known.count) more" : ""
        return CodedFailure(
            .sceneInstanceUnresolved,
            "there is no visual scene \"\(wanted)\"; \(known.isEmpty ? "there is none at all" : "there are " + known.joined(separator: ", "))\(others)"
        )
    }
}

extension Scene {
    /// For each node the first of some groups of roots that reaches it; −1 without.
    fileprivate func firstReached(by groups: [Range<Int>]) -> [Int] {
        var first = [Int](repeating: -1, count: nodes.count)
        for (number, group) in groups.enumerated() {
            var stack = roots[group].map(\.value)
            while let next = stack.popLast() {
                guard first[next] < 0 else { continue }
                first[next] = number
                stack += nodes[next].children.map(\.value)
            }
        }
        return first
    }
}

extension Transform {
    /// The same in other units and axes, where this is in metres with z up.
    fileprivate func turned(into system: CoordinateSystem) -> Transform {
        let turn = CoordinateSystem(upAxis: .z).turn(to: system)
        func turned(_ vector: SIMD3<Double>) -> SIMD3<Double> { turn.transform(point: vector) }
        switch self {
        case .translate(let way): return .translate(turned(way) / system.metersPerUnit)
        case .rotate(let axis, let degrees): return .rotate(axis: turned(axis), degrees: degrees)
        case .scale(let factor):
            // Axes become axes; which way along them does not matter.
            func along(_ axis: SIMD3<Double>) -> SIMD3<Double> {
                let turned = turned(axis)
                return SIMD3(turned.x.magnitude, turned.y.magnitude, turned.z.magnitude)
            }
            return .scale(along([1, 0, 0]) * factor.x + along([0, 1, 0]) * factor.y + along([0, 0, 1]) * factor.z)
        case .matrix, .skew, .lookat: return self
        }
    }
}

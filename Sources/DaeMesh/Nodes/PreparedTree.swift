// A scene's nodes are a graph: one that is instanced twice is drawn twice. Engines know trees only.

import DaeDiagnostics
package import DaeScene

/// One of a node's transforms.
struct TransformPlace: Hashable {
    let node: Int
    let transform: Int
}

/// The nodes of a scene as a tree: each stands in one place, and none with shear.
package struct PreparedTree {
    /// In no order that says anything: a node's place in this list is its number everywhere.
    package private(set) var nodes: [PreparedNode] = []
    /// Into ``nodes``.
    package private(set) var roots: [Int] = []
    private(set) var places: NodePlaces
    /// What ``PreparedTransform/parts(_:)`` leads to.
    package private(set) var parts: [RigidScale] = []
    /// Of nodes that move far from where they stand in: the place that a node above takes them to.
    private(set) var origins: [Int: SIMD3<Double>] = [:]
    /// Matrices whose last row was reported to be lost.
    private(set) var lostRows: Set<TransformPlace> = []
    /// What the root above all others does: from the document's units and axes to those of the tree.
    package let conversion: Matrix4
    /// Nodes that stand where another one does, by that one.
    private var twins: [Int: [Int]] = [:]
    private var rigs: RigPlaces?
    private let limit: Int
    /// Of the scene, in the units of its document.
    private let size: Double

    /// - Parameters:
    ///   - system: What the tree is to be in: where the scene is written in another, a root above all others takes it
    ///     there.
    ///   - moving: A node that a channel leads to gets parts in place of a matrix.
    ///   - size: Of the scene, in the units of its document, above 0; held against how far nodes move.
    ///   - limit: Nodes of the tree at most.
    ///   - skinned: The skins of all controllers; where there are any, their joints need one root.
    init(
        of scene: Scene, in system: CoordinateSystem, moving: MovingParts, size: Double, limit: Int,
        _ skinned: NearestControllers?, _ report: inout FidelityReport
    ) throws(SceneExportError) {
        self.limit = limit
        self.size = size
        places = NodePlaces(nodes: scene.nodes.count)
        let (written, sceneRoots) = scene.unconverted
        conversion = written.conversion(to: system).settled
        nodes.reserveCapacity(min(limit, scene.nodes.count + 1))
        if skinned != nil { rigs = RigPlaces() }
        var top: Int?
        if written != system, !sceneRoots.isEmpty {
            try checkLimit()
            top = add(PreparedNode(node: nil, transform: conversion == .identity ? .identity : .conversion), below: nil)
        }
        let hidden = HiddenNodes(of: scene)
        var stack: [(node: SceneIndex<Node>, parent: Int?, unfolded: Int, isHidden: Bool)] =
            sceneRoots.reversed().map { ($0, top, -1, false) }
        while let (index, parent, around, isBelowHidden) = stack.popLast() {
            try checkLimit()
            let node = scene.nodes[index]
            if places.first(of: index) != nil, node.role.isElement {
                report.add(.approximated, .instancedNodes, at: node.id ?? node.name)
            }
            let place = add(PreparedNode(node: index, transform: .identity), below: parent)
            let end = setTransform(of: place, index, node, moving.extent(of: index, in: scene), &report)
            // What is bound to a joint is bound to all of its matrix.
            places.add(end, of: index)
            let unfolded = rigs?.add(index, node.matrix.settled, below: around, at: end) ?? -1
            let isHidden = isBelowHidden || hidden.contains(index.value)
            if !isBelowHidden { note(node, isHidden: isHidden, &report) }
            // The node itself stays: a skin that is shown may have it for a joint.
            if !isHidden {
                for shown in hang(node.instances, of: index, on: end, scene, skinned) { rigs?.shows[shown] = unfolded }
            }
            for child in node.children.reversed() { stack.append((child, end, unfolded, isHidden)) }
        }
        rigs?.close(nodes: scene.nodes.count)
        if skinned != nil, roots.count > 1 { gather() }
    }

    /// Tells of a node that its exporter hid.
    private func note(_ node: Node, isHidden: Bool, _ report: inout FidelityReport) {
        guard node.isHidden else { return }
        report.add(isHidden ? .dropped : .approximated, .visibility, at: node.id ?? node.name)
    }

    private func checkLimit() throws(SceneExportError) {
        guard nodes.count < limit else {
            throw SceneExportError(.sceneNodeCountExceeded, "the scene unfolds to more than \(limit) nodes")
        }
    }

    /// The joints of a skin's instance where it stands, and which of them mirror what they move.
    ///
    /// - Parameter place: The node of the tree that shows the instance.
    mutating func rig(
        of skeleton: Skeleton, at place: Int, _ scene: Scene, _ moving: MovingParts, _ report: inout FidelityReport
    ) throws(SceneExportError) -> PreparedRig {
        guard var rigs, let shown = rigs.shows[place] else { return PreparedRig(joints: [], isMirrored: false) }
        // Taken out, so that it is changed where it is.
        self.rigs = nil
        defer { self.rigs = rigs }
        let rig = Rig(skeleton, at: shown, in: &rigs.unfolded, of: scene)
        var joints: [PreparedRig.Joint?] = []
        switch rig.carrier {
        case .none:
            for joint in rig.joints {
                joints.append(joint.map { .init(place: Int(rigs.ends[$0]), isMirrored: rigs.isMirrored[$0]) })
            }
        case .places(let carrying, let below):
            let frame = rigs.unfolded.frame(of: carrying, below: below, in: scene)
            let turned = rigs.isMirrored[carrying] != (frame.map { rigs.isMirrored[$0] } ?? false)
            for joint in rig.joints {
                guard let joint else {
                    joints.append(nil)
                    continue
                }
                let copy = try carry(joint, from: below, on: carrying, &rigs, scene, moving, &report)
                joints.append(.init(place: copy, isMirrored: rigs.isMirrored[joint] != turned))
            }
        }
        return PreparedRig(joints: joints, isMirrored: rigs.isMirrored[shown])
    }

    /// A copy of a joint, and of what is around it, below the node that carries it.
    ///
    /// - Parameters:
    ///   - below: What is around both and stays where it is.
    /// - Returns: Its place in the tree.
    private mutating func carry(
        _ joint: Int, from below: Int?, on carrying: Int, _ rigs: inout RigPlaces, _ scene: Scene,
        _ moving: MovingParts, _ report: inout FidelityReport
    ) throws(SceneExportError) -> Int {
        var path: [Int] = []
        var next = Optional(joint)
        var known: Int?
        while let at = next, at != below {
            known = rigs.copies[.init(carrying: carrying, of: at)]
            if known != nil { break }
            path.append(at)
            next = rigs.unfolded.parent(of: at)
        }
        if known == nil {
            // Nodes that are no elements move the joints where they are; the carrying node has its own around it.
            while let top = path.last, !scene.nodes[rigs.unfolded.node(at: top)].role.isElement { path.removeLast() }
        }
        var end = known ?? Int(rigs.ends[carrying])
        for at in path.reversed() {
            try checkLimit()
            let index = rigs.unfolded.node(at: at)
            let node = scene.nodes[index]
            report.add(.approximated, .instancedNodes, at: node.id ?? node.name)
            let copy = add(PreparedNode(node: index, transform: .identity), below: end)
            end = setTransform(of: copy, index, node, moving.extent(of: index, in: scene), &report)
            places.add(end, of: index)
            rigs.copies[.init(carrying: carrying, of: at)] = end
        }
        return end
    }

    /// The places of joints, each once: what comes again gets a node within the first.
    mutating func distinct(_ joints: [Int]) throws(SceneExportError) -> [Int] {
        var counts: [Int: Int] = [:]
        var distinct: [Int] = []
        distinct.reserveCapacity(joints.count)
        for place in joints {
            let count = counts[place, default: 0]
            counts[place] = count + 1
            distinct.append(count == 0 ? place : try twin(count - 1, of: place))
        }
        return distinct
    }

    private mutating func twin(_ number: Int, of place: Int) throws(SceneExportError) -> Int {
        if let known = twins[place], number < known.count { return known[number] }
        try checkLimit()
        let twin = add(PreparedNode(node: nil, transform: .identity), below: place)
        twins[place, default: []].append(twin)
        return twin
    }

    /// Shows what a node shows on a node within it, or on the last of several within each other.
    mutating func moveShown(of place: Int, into frames: [RigidScale]) throws(SceneExportError) {
        let shown = nodes[place].shown
        nodes[place].shown = nil
        var end = place
        for frame in frames {
            try checkLimit()
            end = add(PreparedNode(node: nil, transform: add(frame)), below: end)
        }
        nodes[end].shown = shown
    }

    /// Into ``nodes``, in their order.
    package func children(of place: Int) -> [Int] {
        var children: [Int] = []
        var child = nodes[place].firstChild
        while child >= 0 {
            children.append(Int(child))
            child = nodes[Int(child)].nextSibling
        }
        return children
    }

    /// Puts all roots below one: formats ask that the joints of a skin have an ancestor in common.
    private mutating func gather() {
        let children = roots
        roots = []
        let root = add(PreparedNode(node: nil, transform: .identity), below: nil)
        for child in children { hang(child, below: root) }
    }

    private mutating func add(_ node: PreparedNode, below parent: Int?) -> Int {
        nodes.append(node)
        let place = nodes.count - 1
        if let parent { hang(place, below: parent) } else { roots.append(place) }
        return place
    }

    private mutating func hang(_ child: Int, below parent: Int) {
        let link = Int32(clamping: child)
        let last = nodes[parent].lastChild
        if last >= 0 { nodes[Int(last)].nextSibling = link } else { nodes[parent].firstChild = link }
        nodes[parent].lastChild = link
    }

    private mutating func add(_ parts: RigidScale) -> PreparedTransform {
        self.parts.append(parts)
        return .parts(Int32(clamping: self.parts.count - 1))
    }

    /// - Returns: The node that stands for the inside of this one: itself, or a second one within it.
    private mutating func setTransform(
        of place: Int, _ index: SceneIndex<Node>, _ node: Node, _ moving: MovingParts.Extent,
        _ report: inout FidelityReport
    ) -> Int {
        let matrix = node.matrix.settled
        var number = -1
        node.transformList.forEach { transform in
            number += 1
            guard case .matrix(let given) = transform, !given.isAffine,
                lostRows.insert(TransformPlace(node: index.value, transform: number)).inserted
            else { return }
            report.add(.dropped, .lastRows, at: node.id ?? node.name)
        }
        let parts = RigidScale(matrix)
        switch moving {
        case .nothing, .weights:
            if matrix == .identity { return place }
            guard let parts else { return split(matrix, at: place, of: node, &report) }
            nodes[place].transform = moving == .weights ? add(parts) : .own
        case .transform:
            if parts == nil { report.add(.approximated, .shear, at: node.id ?? node.name) }
            var parts = parts ?? RigidScale(nearest: matrix)
            let far = parts.translation
            guard let origin = far.farOrigin(reach: pointwiseMax(far, -far), size: size) else {
                nodes[place].transform = add(parts)
                return place
            }
            origins[index.value] = origin
            parts.translation -= origin
            nodes[place].transform = add(RigidScale(translation: origin))
            let inner = add(parts)
            return add(PreparedNode(node: nil, transform: inner), below: place)
        }
        return place
    }

    private mutating func split(
        _ matrix: Matrix4, at place: Int, of node: Node, _ report: inout FidelityReport
    ) -> Int {
        report.add(.merged, .shear, at: node.id ?? node.name)
        let split = ShearSplit(matrix)
        nodes[place].transform = add(split.outer)
        let inner = add(split.inner)
        return add(PreparedNode(node: nil, transform: inner), below: place)
    }

    /// The first of a kind hangs on the node itself, every other one on a node within it, as does what is far from there.
    ///
    /// - Returns: The nodes that show them.
    private mutating func hang(
        _ instances: [Instance], of node: SceneIndex<Node>, on place: Int, _ scene: Scene,
        _ skinned: NearestControllers?
    ) -> [Int] {
        instances.enumerated().map { instance, content in
            let shown = PreparedNode.Shown(node: node, place: instance)
            let origin = scene.farOrigin(of: content, skinned)
            guard instance == 0, origin == nil else {
                let transform = origin.map { add(RigidScale(translation: $0)) } ?? .identity
                return add(PreparedNode(node: nil, transform: transform, shown: shown), below: place)
            }
            nodes[place].shown = shown
            return place
        }
    }
}

/// A node of a ``PreparedTree``.
package struct PreparedNode {
    // A tree may have a million of them, so all is in 32 bits: −1 stands for none.
    private let source: Int32
    package fileprivate(set) var transform: PreparedTransform
    private var instanceNode: Int32 = -1
    private var instancePlace: Int32 = -1
    // Children in their order, by links: no node has a list.
    fileprivate(set) var firstChild: Int32 = -1
    fileprivate var lastChild: Int32 = -1
    fileprivate(set) var nextSibling: Int32 = -1

    /// - Parameter node: The scene's node it is; `nil` for one that only carries what its parent had no place for.
    fileprivate init(node: SceneIndex<Node>?, transform: PreparedTransform, shown: Shown? = nil) {
        source = node.map { Int32(clamping: $0.value) } ?? -1
        self.transform = transform
        self.shown = shown
    }

    /// The scene's node it is; `nil` for one that the scene does not have.
    package var node: SceneIndex<Node>? { source < 0 ? nil : SceneIndex(Int(source)) }

    package var hasChildren: Bool { firstChild >= 0 }

    /// Which of a scene's node's instances a node of the tree shows.
    struct Shown {
        let node: SceneIndex<Node>
        let place: Int
    }
    fileprivate(set) var shown: Shown? {
        get { instanceNode < 0 ? nil : Shown(node: SceneIndex(Int(instanceNode)), place: Int(instancePlace)) }
        set {
            instanceNode = newValue.map { Int32(clamping: $0.node.value) } ?? -1
            instancePlace = newValue.map { Int32(clamping: $0.place) } ?? -1
        }
    }
}

/// How a node stands in the one around it.
package enum PreparedTransform {
    case identity
    /// As the scene's node says it (``DaeScene/Matrix4/settled``), where no channel needs the parts.
    case own
    /// ``PreparedTree/conversion``.
    case conversion
    /// Into ``PreparedTree/parts``.
    case parts(Int32)
}

/// Where in the tree each of the scene's nodes stands.
struct NodePlaces {
    /// The first, which is that of joints; −1 for a node that the scene does not reach.
    private var first: [Int32]
    /// All of those that stand in several.
    private var several: [Int: [Int32]] = [:]

    init(nodes: Int) { first = [Int32](repeating: -1, count: nodes) }

    mutating func add(_ place: Int, of node: SceneIndex<Node>) {
        let place = Int32(clamping: place)
        guard first[node.value] >= 0 else {
            first[node.value] = place
            return
        }
        several[node.value, default: [first[node.value]]].append(place)
    }

    subscript(node: Int) -> [Int] {
        guard first[node] >= 0 else { return [] }
        return several[node]?.map { Int($0) } ?? [Int(first[node])]
    }

    func first(of node: SceneIndex<Node>) -> Int? { first[node.value] < 0 ? nil : Int(first[node.value]) }
}

/// What the tree knows of skins: where every node's places stand in it. Scenes without skins have none.
private struct RigPlaces {
    var unfolded = UnfoldedScene()
    /// By place of the unfolded scene, the node of the tree that is its inside.
    private(set) var ends: [Int32] = []
    /// By place, whether it turns left to right on the way to the world.
    private(set) var isMirrored: [Bool] = []
    /// Places by the nodes of the tree that show an instance of theirs.
    var shows: [Int: Int] = [:]
    /// Nodes of the tree that stand for a place once more.
    var copies: [Copy: Int] = [:]

    struct Copy: Hashable {
        let carrying: Int
        let of: Int

        init(carrying: Int, of place: Int) { (self.carrying, of) = (carrying, place) }
    }

    mutating func add(_ node: SceneIndex<Node>, _ matrix: Matrix4, below parent: Int, at end: Int) -> Int {
        let around = parent < 0 ? false : isMirrored[parent]
        ends.append(Int32(clamping: end))
        isMirrored.append(around != matrix.isMirroring)
        return unfolded.add(node.value, below: parent)
    }

    mutating func close(nodes: Int) { unfolded.close(nodes: nodes) }
}

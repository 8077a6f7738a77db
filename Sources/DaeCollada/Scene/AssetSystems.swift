import DaeDiagnostics
import DaeScene
import DaeXML

/// In which unit and up axis each place of all documents is written, and which the scene has.
struct AssetSystems {
    /// The scene's: those of the first document.
    private(set) var main = CoordinateSystem()
    /// One a document.
    private(set) var scopes: [AssetScopes] = []
    /// Of each node; empty where all are in the scene's.
    private var nodes: [CoordinateSystem] = []

    /// Where an element is used: a library's is in the system of there, where nothing else says what it is in.
    struct Place {
        let system: CoordinateSystem
        let document: Int
    }

    mutating func add(_ scopes: AssetScopes) {
        if self.scopes.isEmpty { main = scopes.system }
        self.scopes.append(scopes)
    }

    /// Whether everything is written in the scene's.
    var areUniform: Bool { scopes.allSatisfy { $0.isUniform && $0.system == main } }

    /// Finds the systems of nodes: one that is instanced has that of where it first is.
    mutating func setNodes(_ nodes: [ColladaDocument.Node], in scene: Scene) {
        guard !areUniform else { return }
        self.nodes = nodes.map { system(at: $0.position) }
        var isKnown = [Bool](repeating: false, count: nodes.count)
        var stack: [(node: Int, place: Place?)] = scene.roots.reversed().map { ($0.value, nil) }
        while let (node, place) = stack.popLast() {
            guard nodes.indices.contains(node), !isKnown[node] else { continue }
            isKnown[node] = true
            let position = nodes[node].position
            if let place { self.nodes[node] = system(at: position, within: place) }
            let own = Place(system: self.nodes[node], document: position.document)
            for child in scene.nodes[node].children.reversed() { stack.append((child.value, own)) }
        }
    }

    func system(ofNode index: Int) -> CoordinateSystem { nodes.indices.contains(index) ? nodes[index] : main }

    func system(at position: XMLPosition, within place: Place?) -> CoordinateSystem {
        guard let place, place.document == position.document, scopes.indices.contains(place.document) else {
            return system(at: position)
        }
        return scopes[place.document].system(at: position, within: place.system)
    }

    func system(at position: XMLPosition) -> CoordinateSystem {
        scopes.indices.contains(position.document) ? scopes[position.document].system(at: position) : main
    }

    /// What becomes of the numbers that are written at a place.
    func change(at position: XMLPosition) -> SystemChange { SystemChange(from: system(at: position), to: main) }
}

extension FindingLog {
    /// Tells of a part that is written in another system than is expected there.
    ///
    /// - Parameter element: The part; `nil` for a whole document.
    mutating func reportSystem(
        _ system: CoordinateSystem, ofThe element: String?, expected: CoordinateSystem, at place: Place,
        _ message: @autoclosure () -> String, severity: Severity? = nil
    ) {
        add(
            .assetNestedUnit, at: place, message(),
            arguments: (element.map { [.init("element", $0)] } ?? []) + [
                .init("system", system.description), .init("expected", expected.description),
            ], severity: severity)
    }
}

/// Which unit and up axis hold at each place of one document: those of the nearest enclosing asset that gives them.
struct AssetScopes {
    struct Scope {
        let bytes: Range<Int64>
        /// The scope around it, into ``scopes``.
        let parent: Int?
        let nested: ColladaDocument.NestedAsset
        let system: CoordinateSystem
    }

    /// Of the document as a whole.
    let system: CoordinateSystem
    /// By where they begin, the outer ones first.
    private(set) var scopes: [Scope] = []

    init(_ nested: [ColladaDocument.NestedAsset], in system: CoordinateSystem) {
        self.system = system
        var open: [Int] = []
        for one in nested.sorted(by: { ($0.start, $1.end) < ($1.start, $0.end) }) where one.start < one.end {
            while let last = open.last, scopes[last].bytes.upperBound <= one.start { open.removeLast() }
            let around = open.last.map { scopes[$0].system } ?? system
            open.append(scopes.count)
            scopes.append(
                Scope(
                    bytes: one.start..<one.end, parent: open.dropLast().last, nested: one,
                    system: one.asset.system(within: around)))
        }
    }

    /// Whether all of the document is in one system.
    var isUniform: Bool { scopes.allSatisfy { $0.system == system } }

    /// - Complexity: O(log assets), and the depth of elements.
    func system(at position: XMLPosition) -> CoordinateSystem {
        scope(at: position)?.system ?? system
    }

    /// What an element is in that is used at a place of this document: what no asset around the element gives is that of
    /// the place.
    func system(at position: XMLPosition, within place: CoordinateSystem) -> CoordinateSystem {
        CoordinateSystem(
            metersPerUnit: nearest(at: position, \.unit).map { $0.meter ?? 1 } ?? place.metersPerUnit,
            upAxis: nearest(at: position, \.upAxis) ?? place.upAxis)
    }

    private func scope(at position: XMLPosition) -> Scope? {
        var low = 0
        var high = scopes.count
        while low < high {
            let middle = low + (high - low) / 2
            if scopes[middle].bytes.lowerBound <= position.byte { low = middle + 1 } else { high = middle }
        }
        var candidate = low > 0 ? low - 1 : nil
        while let index = candidate {
            if scopes[index].bytes.contains(position.byte) { return scopes[index] }
            candidate = scopes[index].parent
        }
        return nil
    }

    /// The system around a scope.
    func system(around scope: Scope) -> CoordinateSystem { scope.parent.map { scopes[$0].system } ?? system }

    /// The asset that is nearest around a place and gives what is asked for.
    func nearest<Value>(at position: XMLPosition, _ value: (ColladaDocument.Asset) -> Value?) -> Value? {
        var next = scope(at: position)
        while let scope = next {
            if let found = value(scope.nested.asset) { return found }
            next = scope.parent.map { scopes[$0] }
        }
        return nil
    }
}

extension ColladaDocument.Asset {
    /// What it says, and where it says nothing what is around it.
    func system(within around: CoordinateSystem) -> CoordinateSystem {
        CoordinateSystem(
            metersPerUnit: unit.map { $0.meter ?? 1 } ?? around.metersPerUnit, upAxis: upAxis ?? around.upAxis)
    }
}

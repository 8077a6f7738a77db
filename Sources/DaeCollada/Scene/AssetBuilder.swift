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

// What the assets of all documents say: units, axes and copyright.

/// Takes the assets of all documents into the scene and its ``AssetSystems``.
enum AssetBuilder {
    /// Finds the copyright, and the system of each document; parts that have another are reported.
    static func addAssets(to context: inout SceneContext) {
        let assets = context.shared.linked.assets
        context.scene.copyright = copyright(in: assets)
        for (number, one) in assets.enumerated() {
            let own = system(of: one, number, in: &context)
            let scopes = AssetScopes(one.nested, in: own)
            reportNested(scopes, &context.log)
            context.systems.add(scopes)
            let main = context.systems.main
            if number == 0 {
                context.scene.metersPerUnit = own.metersPerUnit
                context.scene.upAxis = own.upAxis
            } else if own != main {
                context.log.reportSystem(
                    own, ofThe: nil, expected: main, at: place(of: number),
                    "the document is in \(own), the scene in \(main); what it lends is converted", severity: .info)
            }
        }
    }

    /// A part that the document's own asset does not give is that of the scene that is shown, where its asset gives it:
    /// nothing else says what the libraries are written in.
    private static func system(
        of assets: LinkedDocument.DocumentAssets, _ number: Int, in context: inout SceneContext
    ) -> CoordinateSystem {
        let place = place(of: number)
        let shown = number == 0 ? shownSystem(assets, in: &context) : (unit: nil, upAxis: nil)
        var system = CoordinateSystem()
        if let axis = assets.own?.upAxis {
            system.upAxis = axis
        } else if let axis = shown.upAxis {
            system.upAxis = axis
            context.log.add(
                .assetUpAxisMissing, at: place, "no up axis is given for the document; that of its visual scene counts")
        } else if assets.own != nil {
            context.log.add(.assetUpAxisMissing, at: place, "no up axis is given; Y_UP is assumed")
        }
        if let unit = assets.own?.unit {
            system.metersPerUnit = unit.meter ?? 1
        } else if let unit = shown.unit {
            system.metersPerUnit = unit.meter ?? 1
            context.log.add(
                .assetUnitMissing, at: place, "no unit is given for the document; that of its visual scene counts")
        } else if assets.own != nil {
            context.log.add(.assetUnitMissing, at: place, "no unit is given; the metre is assumed")
        }
        if assets.own == nil { context.log.add(.assetMissing, at: place, "the document has no <asset>") }
        return system
    }

    private static func shownSystem(
        _ assets: LinkedDocument.DocumentAssets, in context: inout SceneContext
    ) -> (unit: ColladaDocument.Asset.Unit?, upAxis: Scene.UpAxis?) {
        guard !assets.nested.isEmpty, let position = context.shownPosition else { return (nil, nil) }
        let scopes = AssetScopes(assets.nested, in: CoordinateSystem())
        return (scopes.nearest(at: position, \.unit), scopes.nearest(at: position, \.upAxis))
    }

    private static func place(of document: Int) -> Place {
        var place = Place()
        place.document = document
        return place
    }

    /// What an asset of its own means for the numbers within an element.
    private enum Effect {
        case converted
        /// They say nothing of what they measure.
        case kept
        /// They are colours, shares, times.
        case none

        init(onContentOf element: String) {
            switch element {
            case "formula", "library_formulas", "force_field", "library_force_fields": self = .kept
            case "animation_clip", "effect", "image", "library_animation_clips", "library_effects", "library_images",
                "library_materials", "library_physics_materials", "material", "physics_material":
                self = .none
            default: self = .converted  // element names: all others have lengths or hold what has
            }
        }

        var words: String {
            switch self {
            case .converted: "it is converted"
            case .kept: "its numbers stay as they are"
            case .none: "no number in it depends on that"
            }
        }

        var severity: Severity? {
            switch self {
            case .converted, .kept: nil
            case .none: .info
            }
        }
    }

    private static func reportNested(_ scopes: AssetScopes, _ log: inout FindingLog) {
        for scope in scopes.scopes {
            let (owner, around) = (scope.nested.owner, scopes.system(around: scope))
            guard scope.system != around else { continue }
            let effect = Effect(onContentOf: owner)
            log.reportSystem(
                scope.system, ofThe: owner, expected: around, at: Place(scope.nested.position),
                "the content of this <\(owner)> is in \(scope.system), what is around it in \(around); \(effect.words)",
                severity: effect.severity)
        }
    }

    /// Those of all contributors, in the order of the documents.
    private static func copyright(in assets: [LinkedDocument.DocumentAssets]) -> String? {
        var claims: [String] = []
        for one in assets {
            for asset in [one.own].compactMap(\.self) + one.nested.map(\.asset) {
                for claim in asset.contributors.compactMap(\.copyright) where !claim.isEmpty {
                    // A library may have an asset for each of its elements; a claim is a line.
                    if claims.count < 100, !claims.contains(claim) { claims.append(claim) }
                }
            }
        }
        return claims.isEmpty ? nil : claims.joined(separator: "; ")
    }
}

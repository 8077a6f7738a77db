// The one table of what an id may lead to. A new kind has its case and its row here, its list in `ColladaDocument`, and the
// line of `DocumentReader.decodeUnit` that fills the list. That documents are put together, and that references and names
// find it, follows from the table.

package import DaeXML

/// A kind of elements that have a list of their own in a document.
package enum LibraryKind: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    case geometry, controller, effect, material, image, camera, light, node, visualScene, animation, animationClip
    case physicsMaterial, forceField, physicsModel, physicsScene
    case joint, kinematicsModel, articulatedSystem, kinematicsScene, formula

    /// The name of the element.
    package var element: String { Library.all[Int(rawValue)].element }

    /// The name of the element that holds those of a document.
    package var library: String { self == .geometry ? "library_geometries" : "library_\(element)s" }

    /// Whether a reference that is no id may mean an element of the kind by its name.
    var isFoundByName: Bool {
        switch self {
        case .geometry, .controller, .effect, .material, .image, .camera, .light, .node, .visualScene, .animation,
            .animationClip:
            true
        case .physicsMaterial, .forceField, .physicsModel, .physicsScene, .joint, .kinematicsModel,
            .articulatedSystem, .kinematicsScene, .formula:
            false
        }
    }
}

/// An element of one of a document's lists.
protocol LibraryElement: Sendable {
    var id: String? { get }
    var name: String? { get }
    var position: XMLPosition { get }

    /// Moves the places that it holds in the document's lists, where others come before those.
    mutating func move(behind counts: LibraryCounts)
}

extension LibraryElement {
    // Most hold none.
    mutating func move(behind counts: LibraryCounts) {}
}

/// What every element of a document's lists has.
package struct LibraryEntry {
    package let position: XMLPosition
    package let id: String?
    package let name: String?
}

extension LibraryElement {
    fileprivate var entry: LibraryEntry { LibraryEntry(position: position, id: id, name: name) }
}

/// What can be done with a document's list of any kind.
private struct Library: Sendable {
    let element: String
    let count: @Sendable (ColladaDocument) -> Int
    let entry: @Sendable (ColladaDocument, Int) -> LibraryEntry
    let forEach: @Sendable (ColladaDocument, (Int, LibraryEntry) -> Void) -> Void
    /// Puts another document's elements behind those of one that had so many.
    let append: @Sendable (inout ColladaDocument, ColladaDocument, LibraryCounts) -> Void

    // By closures: each path to a list would be a class of its own to the runtime, which a small document pays for.
    private init<Element: LibraryElement>(
        _ element: String, _ list: @escaping @Sendable (ColladaDocument) -> [Element],
        _ add: @escaping @Sendable (inout ColladaDocument, [Element]) -> Void
    ) {
        self.element = element
        count = { list($0).count }
        entry = { list($0)[$1].entry }
        forEach = { document, visit in
            let elements = list(document)
            // By index: what is taken out of its list would be copied, with all it holds.
            for index in elements.indices { visit(index, elements[index].entry) }
        }
        append = { document, other, counts in
            var elements = list(other)
            for index in elements.indices { elements[index].move(behind: counts) }
            add(&document, elements)
        }
    }

    private init(of kind: LibraryKind) {
        switch kind {
        case .geometry: self.init("geometry", { $0.geometries }, { $0.geometries += $1 })
        case .controller: self.init("controller", { $0.controllers }, { $0.controllers += $1 })
        case .effect: self.init("effect", { $0.effects }, { $0.effects += $1 })
        case .material: self.init("material", { $0.materials }, { $0.materials += $1 })
        case .image: self.init("image", { $0.images }, { $0.images += $1 })
        case .camera: self.init("camera", { $0.cameras }, { $0.cameras += $1 })
        case .light: self.init("light", { $0.lights }, { $0.lights += $1 })
        case .node: self.init("node", { $0.nodes }, { $0.nodes += $1 })
        case .visualScene: self.init("visual_scene", { $0.visualScenes }, { $0.visualScenes += $1 })
        case .animation: self.init("animation", { $0.animations }, { $0.animations += $1 })
        case .animationClip: self.init("animation_clip", { $0.animationClips }, { $0.animationClips += $1 })
        case .physicsMaterial: self.init("physics_material", { $0.physicsMaterials }, { $0.physicsMaterials += $1 })
        case .forceField: self.init("force_field", { $0.forceFields }, { $0.forceFields += $1 })
        case .physicsModel: self.init("physics_model", { $0.physicsModels }, { $0.physicsModels += $1 })
        case .physicsScene: self.init("physics_scene", { $0.physicsScenes }, { $0.physicsScenes += $1 })
        case .joint: self.init("joint", { $0.joints }, { $0.joints += $1 })
        case .kinematicsModel: self.init("kinematics_model", { $0.kinematicsModels }, { $0.kinematicsModels += $1 })
        case .articulatedSystem:
            self.init("articulated_system", { $0.articulatedSystems }, { $0.articulatedSystems += $1 })
        case .kinematicsScene: self.init("kinematics_scene", { $0.kinematicsScenes }, { $0.kinematicsScenes += $1 })
        case .formula: self.init("formula", { $0.formulas }, { $0.formulas += $1 })
        }
    }

    /// By kind.
    static let all = LibraryKind.allCases.map { Library(of: $0) }
}

extension ColladaDocument {
    /// How many elements of a kind there are.
    package func count(of kind: LibraryKind) -> Int { Library.all[Int(kind.rawValue)].count(self) }

    /// Every element of a kind, by its place in the list of its kind.
    package func forEach(_ kind: LibraryKind, _ visit: (Int, LibraryEntry) -> Void) {
        Library.all[Int(kind.rawValue)].forEach(self, visit)
    }

    /// An element that is there.
    func entry(_ kind: LibraryKind, at index: Int) -> LibraryEntry {
        Library.all[Int(kind.rawValue)].entry(self, index)
    }

    /// Puts another document's elements behind its own in every list.
    mutating func appendLibraries(of other: ColladaDocument) {
        let counts = LibraryCounts(of: self)
        for library in Library.all { library.append(&self, other, counts) }
    }
}

/// How many elements of each kind a document has.
struct LibraryCounts {
    private let counts: [Int]

    init(of document: ColladaDocument) { counts = LibraryKind.allCases.map { document.count(of: $0) } }

    subscript(kind: LibraryKind) -> Int { counts[Int(kind.rawValue)] }
}

// The one table of what an id may lead to. A new kind has its case and its row here, its list in `ColladaDocument`, and the
// line of `DocumentReader.decodeUnit` that fills the list. That documents are put together, and that references and names
// find it, follows from the table.

package import XMLReader

/// A kind of elements that have a list of their own in a document; its raw value is the element's name.
package enum LibraryKind: String, Sendable, CaseIterable, BitwiseCopyable {
    case geometry, controller, effect, material, image, camera, light, node
    case visualScene = "visual_scene"
    case animation
    case animationClip = "animation_clip"
    case physicsMaterial = "physics_material"
    case forceField = "force_field"
    case physicsModel = "physics_model"
    case physicsScene = "physics_scene"
    case joint
    case kinematicsModel = "kinematics_model"
    case articulatedSystem = "articulated_system"
    case kinematicsScene = "kinematics_scene"
    case formula

    /// The name of the element that holds those of a document.
    package var library: String { self == .geometry ? "library_geometries" : "library_\(rawValue)s" }

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
    let count: @Sendable (ColladaDocument) -> Int
    let entry: @Sendable (ColladaDocument, Int) -> LibraryEntry
    let forEach: @Sendable (ColladaDocument, (Int, LibraryEntry) -> Void) -> Void
    /// Puts another document's elements behind those of one that had so many.
    let append: @Sendable (inout ColladaDocument, ColladaDocument, LibraryCounts) -> Void

    init<Element: LibraryElement>(_ list: any WritableKeyPath<ColladaDocument, [Element]> & Sendable) {
        count = { $0[keyPath: list].count }
        entry = { $0[keyPath: list][$1].entry }
        forEach = { document, visit in
            let elements = document[keyPath: list]
            // By index: what is taken out of its list would be copied, with all it holds.
            for index in elements.indices { visit(index, elements[index].entry) }
        }
        append = { document, other, counts in
            document[keyPath: list] += other[keyPath: list].map { element in
                var moved = element
                moved.move(behind: counts)
                return moved
            }
        }
    }

    init(of kind: LibraryKind) {
        switch kind {
        case .geometry: self.init(\.geometries)
        case .controller: self.init(\.controllers)
        case .effect: self.init(\.effects)
        case .material: self.init(\.materials)
        case .image: self.init(\.images)
        case .camera: self.init(\.cameras)
        case .light: self.init(\.lights)
        case .node: self.init(\.nodes)
        case .visualScene: self.init(\.visualScenes)
        case .animation: self.init(\.animations)
        case .animationClip: self.init(\.animationClips)
        case .physicsMaterial: self.init(\.physicsMaterials)
        case .forceField: self.init(\.forceFields)
        case .physicsModel: self.init(\.physicsModels)
        case .physicsScene: self.init(\.physicsScenes)
        case .joint: self.init(\.joints)
        case .kinematicsModel: self.init(\.kinematicsModels)
        case .articulatedSystem: self.init(\.articulatedSystems)
        case .kinematicsScene: self.init(\.kinematicsScenes)
        case .formula: self.init(\.formulas)
        }
    }

    static let all = Dictionary(uniqueKeysWithValues: LibraryKind.allCases.map { ($0, Library(of: $0)) })
}

extension ColladaDocument {
    /// How many elements of a kind there are.
    package func count(of kind: LibraryKind) -> Int { Library.all[kind]?.count(self) ?? 0 }

    /// Every element of a kind, by its place in the list of its kind.
    package func forEach(_ kind: LibraryKind, _ visit: (Int, LibraryEntry) -> Void) {
        Library.all[kind]?.forEach(self, visit)
    }

    /// An element that is there.
    func entry(_ kind: LibraryKind, at index: Int) -> LibraryEntry? { Library.all[kind]?.entry(self, index) }

    /// Puts another document's elements behind its own in every list.
    mutating func appendLibraries(of other: ColladaDocument) {
        let counts = LibraryCounts(of: self)
        for kind in LibraryKind.allCases { Library.all[kind]?.append(&self, other, counts) }
    }
}

/// How many elements of each kind a document has.
struct LibraryCounts {
    private let counts: [LibraryKind: Int]

    init(of document: ColladaDocument) {
        counts = Dictionary(uniqueKeysWithValues: LibraryKind.allCases.map { ($0, document.count(of: $0)) })
    }

    subscript(kind: LibraryKind) -> Int { counts[kind] ?? 0 }
}

// A document may have a node for every kilobyte of its text, most with one instance that binds one material: with lists
// of their own these would take more memory than all that is in them. So what is within nodes lies in lists that all
// nodes of a document share, and each node knows which part of them is its own.

import SceneModel
import XMLReader

/// What is within the nodes of one document.
///
/// A class since nodes share it. Unchecked because it grows only while its document is read, on one thread at a time and
/// before anyone else has a node of it.
final class ContentStore: @unchecked Sendable {
    /// A node's place in the document's list where it is at least 0, else the complement of one in ``instances``.
    private let entries: PiecedList<Int32>
    private let instances: PiecedList<Instance>
    private let materials: PiecedList<Material>
    /// What instances and materials refer to.
    private let texts: TextPieces
    /// Of instances of controllers.
    @exclusivity(unchecked) private var skeletons: [[ColladaDocument.Reference]] = []
    /// Those that are not the id of their material; the first is none of them.
    @exclusivity(unchecked) private var symbols = [""]
    /// Those of neighbours, which are mostly equal, are there once.
    @exclusivity(unchecked) private var vertexInputs: [[MaterialBinding.VertexInput]] = [[]]
    @exclusivity(unchecked) private var parameters: [[MaterialBinding.Parameter]] = [[]]
    /// Those of neighbours, which are mostly equal, are there once.
    private let manners: PiecedList<Manner>
    /// Nodes that stand before its document's.
    private let nodesBefore: Int

    enum Kind {
        case node, geometry, controller, camera, light
        /// `instance`, of whatever it leads to.
        case any
    }

    /// A reference that is to be put by.
    enum Given {
        /// Within its document, without its `#`, as it lies there.
        case local(UnsafeRawBufferPointer, XMLPosition)
        case other(ColladaDocument.Reference)
    }

    /// A reference with its text put by.
    private struct Reference: BitwiseCopyable {
        let position: XMLPosition
        let text: TextPieces.Place
        let form: ColladaDocument.Reference.Form
    }

    // More of anything than its numbers can hold would need hundreds of gigabytes.
    private struct Instance: BitwiseCopyable {
        let reference: Reference
        let kind: Kind
        let firstMaterial: UInt32
        let materials: UInt32
        /// Into ``skeletons``; 0 for what is no controller.
        let skeletons: UInt32
    }

    private struct Material: BitwiseCopyable {
        let target: Reference
        /// Into ``manners``.
        let manner: UInt32
    }

    /// How a material is bound: mostly as the one before. Within one store the same only for what is bound alike.
    struct Manner: BitwiseCopyable, Equatable {
        /// Into ``symbols``; 0 where it is the target's id.
        fileprivate let symbol: UInt32
        /// Into the store's lists.
        fileprivate let vertexInputs: UInt32
        fileprivate let parameters: UInt32
    }

    init() {
        entries = PiecedList()
        instances = PiecedList()
        materials = PiecedList()
        texts = TextPieces()
        manners = PiecedList()
        nodesBefore = 0
    }

    /// The same where so many nodes stand before the document's.
    init(_ other: ContentStore, movedBy nodes: Int) {
        entries = other.entries
        instances = other.instances
        materials = other.materials
        texts = other.texts
        skeletons = other.skeletons
        symbols = other.symbols
        vertexInputs = other.vertexInputs
        parameters = other.parameters
        manners = other.manners
        nodesBefore = other.nodesBefore + nodes
    }

    /// Contents so far.
    var count: Int { entries.count }

    // MARK: - Writing

    /// Adds a node of the document.
    func append(node child: Int) { entries.append(Int32(truncatingIfNeeded: child)) }

    /// Adds an instance, which binds the materials that were added since there were so many.
    ///
    /// - Parameter roots: Of the skeletons of a controller.
    func append(
        _ kind: Kind, _ reference: Given, materialsFrom first: Int,
        skeletons roots: [ColladaDocument.Reference]? = nil
    ) {
        if let roots { skeletons.append(roots) }
        entries.append(~Int32(truncatingIfNeeded: instances.count))
        instances.append(
            Instance(
                reference: kept(reference), kind: kind, firstMaterial: UInt32(truncatingIfNeeded: first),
                materials: UInt32(truncatingIfNeeded: materials.count - first),
                skeletons: UInt32(truncatingIfNeeded: max(0, skeletons.count - 1))))
    }

    var materialCount: Int { materials.count }

    /// Adds a material for the instance that comes next.
    ///
    /// - Parameter symbol: `nil` where it is the target's id.
    func appendMaterial(
        _ target: Given, symbol: String?, vertexInputs inputs: [MaterialBinding.VertexInput],
        parameters values: [MaterialBinding.Parameter]
    ) {
        let manner = Manner(
            symbol: symbol.map(place(of:)) ?? 0, vertexInputs: Self.place(of: inputs, in: &vertexInputs),
            parameters: Self.place(of: values, in: &parameters))
        if manners.count == 0 || manners[manners.count - 1] != manner { manners.append(manner) }
        materials.append(Material(target: kept(target), manner: UInt32(truncatingIfNeeded: manners.count - 1)))
    }

    private func kept(_ given: Given) -> Reference {
        switch given {
        case .local(let id, let position): return Reference(position: position, text: texts.append(id), form: .local)
        case .other(let reference):
            var text = reference.rest
            let place = text.withUTF8 { texts.append(UnsafeRawBufferPointer($0)) }
            return Reference(position: reference.position, text: place, form: reference.form)
        }
    }

    private func reference(_ kept: Reference) -> ColladaDocument.Reference {
        ColladaDocument.Reference(form: kept.form, rest: String(xml: texts[kept.text]), position: kept.position)
    }

    private func place(of symbol: String) -> UInt32 {
        if symbols[symbols.count - 1] != symbol || symbols.count == 1 { symbols.append(symbol) }
        return UInt32(truncatingIfNeeded: symbols.count - 1)
    }

    /// The first is empty, as most are.
    private static func place<Element: Equatable>(of list: [Element], in lists: inout [[Element]]) -> UInt32 {
        if list.isEmpty { return 0 }
        if lists[lists.count - 1] != list { lists.append(list) }
        return UInt32(truncatingIfNeeded: lists.count - 1)
    }

    // MARK: - Reading

    func content(at place: Int) -> ColladaDocument.Node.Content {
        let entry = entries[place]
        guard entry < 0 else { return .node(Int(entry) + nodesBefore) }
        let instance = instances[Int(~entry)]
        let reference = reference(instance.reference)
        switch instance.kind {
        case .node: return .instanceNode(reference)
        case .geometry: return .instanceGeometry(reference, materials: materials(of: instance))
        case .controller:
            return .instanceController(
                reference, skeletons: skeletons[Int(instance.skeletons)], materials: materials(of: instance))
        case .camera: return .instanceCamera(reference)
        case .light: return .instanceLight(reference)
        case .any: return .instance(reference)
        }
    }

    private func materials(of instance: Instance) -> [ColladaDocument.InstanceMaterial] {
        let first = Int(instance.firstMaterial)
        return (first..<first + Int(instance.materials)).map { place in
            materials.with(place) { material in
                let target = reference(material.target)
                let manner = manners[Int(material.manner)]
                return .init(
                    symbol: manner.symbol == 0 ? target.withoutHash : symbols[Int(manner.symbol)], target: target,
                    vertexInputs: vertexInputs[Int(manner.vertexInputs)],
                    parameters: parameters[Int(manner.parameters)])
            }
        }
    }

    /// An instance of a geometry as nearly all are: it binds one material, and no parameters.
    struct PlainInstance {
        let geometry: LocalReference
        let material: LocalReference
        let manner: Manner
    }

    /// A reference within its document, which begins with a `#`. Valid as long as its store is.
    struct LocalReference {
        /// In UTF-8.
        let id: UnsafeRawBufferPointer
        let document: Int
    }

    private func local(_ reference: Reference) -> LocalReference? {
        switch reference.form {
        case .local: LocalReference(id: texts[reference.text], document: reference.position.document)
        case .other, .refused, .absent: nil
        }
    }

    func plainInstance(at place: Int) -> PlainInstance? {
        let entry = entries[place]
        guard entry < 0 else { return nil }
        return instances.with(Int(~entry)) { instance in
            guard instance.kind == .geometry, instance.materials == 1, let geometry = local(instance.reference) else {
                return nil
            }
            return materials.with(Int(instance.firstMaterial)) { material in
                let manner = manners[Int(material.manner)]
                guard manner.parameters == 0, let target = local(material.target) else { return nil }
                return PlainInstance(geometry: geometry, material: target, manner: manner)
            }
        }
    }

    func kind(at place: Int) -> ColladaDocument.Node.Content.Kind {
        let entry = entries[place]
        guard entry < 0 else { return .node }
        return switch instances.with(Int(~entry), { $0.kind }) {
        case .node: .instanceNode
        case .geometry: .instanceGeometry
        case .controller: .instanceController
        case .camera: .instanceCamera
        case .light: .instanceLight
        case .any: .instance
        }
    }

    func child(at place: Int) -> Int? {
        let entry = entries[place]
        return entry < 0 ? nil : Int(entry) + nodesBefore
    }

    /// What an instance refers to, and then what its skeletons and materials do.
    ///
    /// - Parameter isWanted: Asked of each text but the skeletons', before a reference is made of it.
    func forEachReference(
        at place: Int, where isWanted: (ColladaDocument.Node.ReferenceText) -> Bool = { _ in true },
        _ visit: (borrowing ColladaDocument.Reference) -> Void
    ) {
        let entry = entries[place]
        guard entry < 0 else { return }
        instances.with(Int(~entry)) { instance in
            if isWanted(text(of: instance.reference)) { visit(reference(instance.reference)) }
            switch instance.kind {
            case .node, .geometry, .camera, .light, .any: break
            case .controller: for root in skeletons[Int(instance.skeletons)] { visit(root) }
            }
            let first = Int(instance.firstMaterial)
            for place in first..<first + Int(instance.materials) {
                materials.with(place) { material in
                    if isWanted(text(of: material.target)) { visit(reference(material.target)) }
                }
            }
        }
    }

    private func text(of reference: Reference) -> ColladaDocument.Node.ReferenceText {
        .init(rest: texts[reference.text], isLocal: reference.form == .local)
    }
}

extension ColladaDocument.Node {
    /// What is written of a reference; valid as long as its node is.
    package struct ReferenceText {
        /// All of it but for a `#` that it begins with, in UTF-8.
        package let rest: UnsafeRawBufferPointer
        /// Whether it begins with a `#`.
        package let isLocal: Bool
    }
}

extension ColladaDocument.Node.Content {
    package enum Kind: Sendable {
        /// A node within the node.
        case node
        case instanceNode, instanceGeometry, instanceController, instanceCamera, instanceLight
        /// `instance`, of whatever it leads to.
        case instance
    }
}

extension ColladaDocument.Node {
    /// What is within a node beside its transforms, in the file's order; each content is made when it is asked for.
    package struct Contents: RandomAccessCollection, Sendable {
        let store: ContentStore
        private let first: UInt32
        private let length: UInt32

        init(_ store: ContentStore, from first: Int) {
            self.store = store
            self.first = UInt32(truncatingIfNeeded: first)
            length = UInt32(truncatingIfNeeded: store.count - first)
        }

        private init(_ store: ContentStore, _ other: Contents) {
            self.store = store
            (first, length) = (other.first, other.length)
        }

        package var startIndex: Int { 0 }
        package var endIndex: Int { Int(length) }

        package subscript(place: Int) -> Content {
            precondition(place >= 0 && place < length, "a content is asked for that the node does not have")
            return store.content(at: Int(first) + place)
        }

        /// Of a content that need not be made for it.
        package func kind(at place: Int) -> Content.Kind {
            precondition(place >= 0 && place < length, "a content is asked for that the node does not have")
            return store.kind(at: Int(first) + place)
        }

        /// The nodes among them, by their places in the document's list; the others are not made for it.
        package var children: some Sequence<Int> { indices.lazy.compactMap { store.child(at: Int(first) + $0) } }

        /// The node at a place, by its place in the document's list; `nil` for another content.
        package func child(at place: Int) -> Int? {
            precondition(place >= 0 && place < length, "a content is asked for that the node does not have")
            return store.child(at: Int(first) + place)
        }

        /// `nil` for what is no such instance.
        func plainInstance(at place: Int) -> ContentStore.PlainInstance? {
            store.plainInstance(at: Int(first) + place)
        }

        /// Those of one document have the same.
        var storeID: ObjectIdentifier { ObjectIdentifier(store) }

        /// What they refer to: instances, and the roots of their skeletons and their materials.
        package func forEachReference(_ visit: (borrowing ColladaDocument.Reference) -> Void) {
            for place in indices { store.forEachReference(at: Int(first) + place, visit) }
        }

        /// Its places in the store.
        var range: Range<Int> { Int(first)..<Int(first) + Int(length) }

        /// How many become children, unless they lead nowhere.
        var nodes: Int {
            indices.count { place in
                switch kind(at: place) {
                case .node, .instanceNode: true
                case .instanceGeometry, .instanceController, .instanceCamera, .instanceLight, .instance: false
                }
            }
        }

        /// The same within a store that has them, too.
        func moved(to moved: inout MovedContents) -> Contents { Contents(moved.store(for: store), self) }
    }
}

/// The stores of a document whose nodes are moved behind others.
struct MovedContents {
    let nodesBefore: Int
    private var stores: [ObjectIdentifier: ContentStore] = [:]

    init(by nodes: Int) { nodesBefore = nodes }

    fileprivate mutating func store(for store: ContentStore) -> ContentStore {
        if let known = stores[ObjectIdentifier(store)] { return known }
        let moved = ContentStore(store, movedBy: nodesBefore)
        stores[ObjectIdentifier(store)] = moved
        return moved
    }
}

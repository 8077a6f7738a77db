import SceneModel

/// The lists of bindings of a document's instances, each kept once: many instances have few different ones.
struct BindingLists {
    /// Into the lists.
    typealias Index = Int

    private(set) var lists: [[MaterialBinding]] = [[]]
    /// By their hashes, and where one is another list's by the next that is free: a list is hashed once.
    private var known: [Int: Index] = [:]
    /// The list that was met last with each material as its first, and at the end with none: it is nearly always the
    /// one that comes again, and found without a hash.
    private var latest: [Index]
    /// The list that each geometry was drawn with last, where nothing was odd about the two; else the largest number.
    private var sound: [UInt32]
    /// Of each geometry, what the last node had on which it hung alone.
    private var alone: [[Instance]]
    /// The list that is of; the largest number where that is not known.
    private var aloneLists: [UInt32]
    /// How each material was bound last where it was bound alone, and the list that made.
    private var plain: [Plain?]
    /// Whose manners of binding these are.
    private var store: ObjectIdentifier?

    private struct Plain {
        let manner: ContentStore.Manner
        let list: Index
    }

    init(materials: Int, geometries: Int) {
        latest = Array(of: materials + 1, each: 0)
        sound = Array(of: geometries, each: .max)
        alone = Array(of: geometries, each: [])
        aloneLists = Array(of: geometries, each: .max)
        plain = Array(of: materials, each: nil)
    }

    /// Whether contents are of the document whose manners of binding are noted here: the first one that is asked for.
    mutating func isOwn(_ contents: ColladaDocument.Node.Contents) -> Bool {
        let store = self.store ?? contents.storeID
        self.store = store
        return store == contents.storeID
    }

    /// The list that binds one material alone in a manner; `nil` where it was bound otherwise the last time.
    func list(bound manner: ContentStore.Manner, to material: Int) -> Index? {
        guard let known = plain[material], known.manner == manner else { return nil }
        return known.list
    }

    /// What a node has on which nothing but a geometry hangs, with a list of bindings.
    mutating func instances(of geometry: Int, _ list: Index) -> [Instance] {
        if Int(aloneLists[geometry]) != list {
            _ = instances(of: geometry, lists[list])
            aloneLists[geometry] = UInt32(clamping: list)
        }
        return alone[geometry]
    }

    /// Notes that a material was just bound alone in this manner.
    mutating func note(_ manner: ContentStore.Manner, of material: Int) {
        plain[material] = Plain(manner: manner, list: latest[material])
    }

    /// What a node has on which nothing but a geometry hangs: where that hangs on many nodes with the same bindings,
    /// they share it.
    mutating func instances(of geometry: Int, _ bindings: [MaterialBinding]) -> [Instance] {
        if case .geometry(_, materials: bindings)? = alone[geometry].first { return alone[geometry] }
        let instances = [Instance.geometry(SceneIndex(geometry), materials: bindings)]
        alone[geometry] = instances
        aloneLists[geometry] = .max
        return instances
    }

    /// Whether a list and a geometry were found sound together.
    func isSound(_ list: Index, with geometry: Int) -> Bool { Int(sound[geometry]) == list }

    mutating func noteSound(_ list: Index, with geometry: Int) { sound[geometry] = UInt32(clamping: list) }

    /// The list of what an instance binds.
    ///
    /// - Parameter targets: What the materials' references lead to.
    mutating func list(
        of materials: [ColladaDocument.InstanceMaterial], to targets: [SceneIndex<Material>?]
    ) -> Index {
        guard let first = targets.first else { return 0 }
        let memory = first?.value ?? latest.count - 1
        let candidate = latest[memory]
        if isList(candidate, of: materials, to: targets) { return candidate }
        let bindings = materials.indices.map { place in
            MaterialBinding(
                symbol: materials[place].symbol, material: targets[place],
                vertexInputs: materials[place].vertexInputs, parameters: materials[place].parameters)
        }
        let list = place(of: bindings)
        latest[memory] = list
        return list
    }

    /// The place of a list that is not empty; it is added where it is new.
    private mutating func place(of bindings: [MaterialBinding]) -> Index {
        var hash = bindings.hashValue
        while let place = known[hash] {
            if lists[place] == bindings { return place }
            hash &+= 1
        }
        lists.append(bindings)
        known[hash] = lists.count - 1
        return lists.count - 1
    }

    private func isList(
        _ list: Index, of materials: [ColladaDocument.InstanceMaterial], to targets: [SceneIndex<Material>?]
    ) -> Bool {
        let known = lists[list]
        guard known.count == materials.count else { return false }
        for place in materials.indices {
            guard known[place].material?.value == targets[place]?.value,
                known[place].symbol == materials[place].symbol,
                known[place].vertexInputs == materials[place].vertexInputs,
                known[place].parameters.isEmpty && materials[place].parameters.isEmpty
                    || known[place].parameters == materials[place].parameters
            else { return false }
        }
        return true
    }
}

// Exporters give the same ids to the sources and samplers of each animation. The nearest one is meant: that of the same
// animation, else of the animations around it, from the inside out, with all within each.

/// What animations hold by id, where an id stands more than once.
struct NearestByID<Value> {
    private struct Key: Hashable {
        /// An animation with all within it; −1 for the document.
        let scope: Int
        let id: String
    }
    private var values: [Key: Value] = [:]
    /// The animation around each, by its place.
    private let parents: [Int]

    /// Animations around one that are looked at: no exporter nests them as deep.
    private static var depthLimit: Int { 16 }

    /// - Parameter children: Of each animation those within it.
    init(children: some Collection<[Int]>) {
        var parents = [Int](repeating: -1, count: children.count)
        for (parent, list) in children.enumerated() {
            for child in list where parents.indices.contains(child) { parents[child] = parent }
        }
        self.parents = parents
    }

    /// Of two in one place the first counts, in the order in which they are added.
    mutating func add(_ value: Value, _ id: String, in animation: Int) {
        for scope in scopes(around: animation) + [-1] {
            let key = Key(scope: scope, id: id)
            if values[key] != nil { continue }
            values[key] = value
        }
    }

    /// In an animation or one around it.
    func near(_ id: String, _ animation: Int) -> Value? {
        for scope in scopes(around: animation) {
            if let value = values[Key(scope: scope, id: id)] { return value }
        }
        return nil
    }

    /// The first of the document.
    func first(_ id: String) -> Value? { values[Key(scope: -1, id: id)] }

    /// The animation itself and those around it.
    private func scopes(around animation: Int) -> [Int] {
        var scopes: [Int] = []
        var scope = animation
        while scope >= 0, scope < parents.count, scopes.count < Self.depthLimit {
            scopes.append(scope)
            scope = parents[scope]
        }
        return scopes
    }
}

/// The rows of one version, found by name.
struct GrammarRows {
    private var types: [GrammarType] = []
    private var groups: [GrammarParticle] = []
    private var simpleTypes: [GrammarSimpleType] = []
    /// Numbers in the lists above; those of groups begin with `%`, those of simple types with a space.
    private var numbers: [String: Int] = [:]
    /// Names that stand in two rows.
    private(set) var repeated: [String] = []

    init(_ rows: [GrammarRow], _ version: SchemaVersion) {
        for row in rows where row.versions.includes(version) {
            let known: Int?
            switch row.meaning {
            case .type(let type):
                known = numbers.updateValue(types.count, forKey: row.name)
                types.append(type)
            case .group(let particle):
                known = numbers.updateValue(groups.count, forKey: "%" + row.name)
                groups.append(particle)
            case .simple(let type):
                known = numbers.updateValue(simpleTypes.count, forKey: " " + row.name)
                simpleTypes.append(type)
            }
            if known != nil { repeated.append(row.name) }
        }
    }

    func type(_ name: String) -> GrammarType? { numbers[name].map { types[$0] } }
    func group(_ name: String) -> GrammarParticle? { numbers["%" + name].map { groups[$0] } }
    func simpleType(_ name: String) -> GrammarSimpleType? { numbers[" " + name].map { simpleTypes[$0] } }
}

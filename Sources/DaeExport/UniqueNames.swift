/// Names that are given once: of several that want one, all but the first get a number.
struct UniqueNames {
    private var taken: Set<String>
    /// By name, the number that is tried next: a thousand of one name would else be a million tries.
    private var next: [String: Int] = [:]

    private let isCaseSensitive: Bool
    private let separator: String

    /// - Parameters:
    ///   - taken: Names that others have.
    ///   - isCaseSensitive: Whether names that differ in case are two; for some file systems they are one.
    ///   - separator: Before the number.
    init(taken: [String] = [], isCaseSensitive: Bool, separator: String = "-") {
        self.isCaseSensitive = isCaseSensitive
        self.separator = separator
        self.taken = []
        for name in taken { self.taken.insert(key(name)) }
    }

    private func key(_ name: String) -> String { isCaseSensitive ? name : name.lowercased() }

    /// - Parameter base: Wanted, without its ending.
    mutating func unique(_ base: String, ending: String = "") -> String {
        var name = base + ending
        guard !taken.insert(key(name)).inserted else { return name }
        let first = key(name)
        var number = next[first, default: 2]
        repeat {
            name = "\(base)\(separator)\(number)\(ending)"
            number += 1
        } while !taken.insert(key(name)).inserted
        next[first] = number
        return name
    }
}

/// Which numbers of its target a channel moves: what stands behind the last sid of a target.
public enum AnimationMember: Sendable, Hashable {
    /// All of them.
    case whole
    case named(Name)
    /// `(i)`: the number at `i`, from 0, of the element's own list.
    case index(Int)
    /// `(i)(j)`: a cell of a matrix, column first.
    ///
    /// Column first, as exporters of 3ds Max write it: their `transform(3)(0)` runs through the x of the translation,
    /// which stands at the end of the matrix's first row.
    case cell(column: Int, row: Int)

    /// - Source: COLLADA 1.4.1 and 1.5.0, "Common glossary".
    public enum Name: String, Sendable, Hashable, CaseIterable {
        case x = "X"
        case y = "Y"
        case z = "Z"
        case w = "W"
        case angle = "ANGLE"
        case red = "R"
        case green = "G"
        case blue = "B"
        case alpha = "A"
        case s = "S"
        case t = "T"
        case p = "P"
        case q = "Q"
        case u = "U"
        case v = "V"
        case time = "TIME"
    }

    /// Reads what follows a sid: nothing, `.X`, `(3)` or `(3)(0)`. `nil` for anything else.
    public init?(_ suffix: some StringProtocol) {
        guard let first = suffix.first else {
            self = .whole
            return
        }
        if first == "." {
            guard let name = Name(rawValue: String(suffix.dropFirst())) else { return nil }
            self = .named(name)
            return
        }
        guard first == "(", suffix.last == ")" else { return nil }
        let parts = suffix.dropFirst().dropLast().split(separator: ")(", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }) else { return nil }
        let numbers = parts.compactMap { Int($0) }
        guard numbers.count == parts.count else { return nil }
        if numbers.count == 1 {
            self = .index(numbers[0])
        } else if numbers.count == 2 {
            self = .cell(column: numbers[0], row: numbers[1])
        } else {
            return nil
        }
    }

    /// Where the member's numbers are among the `count` of a vector or a colour; `nil` when it has no such member.
    public func range(inVectorOf count: Int) -> Range<Int>? {
        switch self {
        case .whole:
            return count > 0 ? 0..<count : nil
        case .index(let index):
            return index >= 0 && index < count ? index..<index + 1 : nil
        case .cell:
            return nil
        case .named(let name):
            return name.vectorPlace.flatMap { $0 < count ? $0..<$0 + 1 : nil }
        }
    }
}

extension AnimationMember.Name {
    /// Place in a point, a colour or a set of texture coordinates.
    var vectorPlace: Int? {
        switch self {
        case .x, .red, .s, .u: 0
        case .y, .green, .t, .v: 1
        case .z, .blue, .p: 2
        case .w, .alpha, .q: 3
        case .angle, .time: nil
        }
    }
}

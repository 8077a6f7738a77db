/// Turns rows into differences that deflate well: of each row by the filter whose differences are the smallest in sum.
struct PNGFilter {
    private enum Kind: UInt8, CaseIterable {
        case none = 0
        case left = 1
        case above = 2
        case paeth = 4
    }

    private let pixelBytes: Int
    private let rowBytes: Int
    /// A pixel of zeros before each.
    private var above: [UInt8]
    private var row: [UInt8]
    private var lines: [[UInt8]]

    init(rowBytes: Int, pixelBytes: Int) {
        self.rowBytes = rowBytes
        self.pixelBytes = pixelBytes
        above = [UInt8](repeating: 0, count: pixelBytes + rowBytes)
        row = above
        lines = Kind.allCases.map { [$0.rawValue] + [UInt8](repeating: 0, count: rowBytes) }
    }

    /// The filter's number and the differences of the row at `start`; the row before is the one asked for before.
    mutating func filtered(_ pixels: [UInt8], at start: Int) -> [UInt8] {
        swap(&above, &row)
        for index in 0..<rowBytes { row[pixelBytes + index] = pixels[start + index] }
        let sums = Kind.allCases.indices.map { fill($0) }
        var best = 0
        for index in sums.indices where sums[index] < sums[best] { best = index }
        return lines[best]
    }

    /// The sum of the differences, as if they had signs.
    private mutating func fill(_ kind: Int) -> Int {
        var sum = 0
        for index in 0..<rowBytes {
            let place = pixelBytes + index
            let value = row[place]
            let guess: UInt8 =
                switch Kind.allCases[kind] {
                case .none: 0
                case .left: row[index]
                case .above: above[place]
                case .paeth: Self.paeth(left: row[index], above: above[place], corner: above[index])
                }
            let difference = value &- guess
            lines[kind][index + 1] = difference
            sum += Int(Int8(bitPattern: difference).magnitude)
        }
        return sum
    }

    private static func paeth(left: UInt8, above: UInt8, corner: UInt8) -> UInt8 {
        let guess = Int(left) + Int(above) - Int(corner)
        let (a, b, c) = (abs(guess - Int(left)), abs(guess - Int(above)), abs(guess - Int(corner)))
        if a <= b && a <= c { return left }
        return b <= c ? above : corner
    }
}

/// Turns rows into differences that deflate well: of each row by the filter whose differences are the smallest in sum.
struct PNGFilter {
    private enum Kind: UInt8 {
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

    init(rowBytes: Int, pixelBytes: Int) {
        self.rowBytes = rowBytes
        self.pixelBytes = pixelBytes
        above = [UInt8](repeating: 0, count: pixelBytes + rowBytes)
        row = above
    }

    /// The filter's number and the differences of the row at `start`; the row before is the one asked for before.
    mutating func filtered(_ pixels: [UInt8], at start: Int) -> [UInt8] {
        swap(&above, &row)
        row.replaceSubrange(pixelBytes..., with: pixels[start..<(start + rowBytes)])
        return differences(best)
    }

    /// The kind whose differences, as if they had signs, are the least in sum.
    private var best: Kind {
        var (plain, left, above, paeth) = (0, 0, 0, 0)
        let (row, before) = (row.span, self.above.span)
        for index in 0..<rowBytes {
            let value = row[pixelBytes + index]
            let (beside, over, corner) = (row[index], before[pixelBytes + index], before[index])
            plain &+= Self.size(value)
            left &+= Self.size(value &- beside)
            above &+= Self.size(value &- over)
            paeth &+= Self.size(value &- Self.paeth(left: beside, above: over, corner: corner))
        }
        let least = min(min(plain, left), min(above, paeth))
        if least == plain { return .none }
        if least == left { return .left }
        return least == above ? .above : .paeth
    }

    private func differences(_ kind: Kind) -> [UInt8] {
        var line = [UInt8](repeating: kind.rawValue, count: rowBytes + 1)
        var out = line.mutableSpan
        let (row, before) = (row.span, above.span)
        for index in 0..<rowBytes {
            let guess: UInt8 =
                switch kind {
                case .none: 0
                case .left: row[index]
                case .above: before[pixelBytes + index]
                case .paeth:
                    Self.paeth(left: row[index], above: before[pixelBytes + index], corner: before[index])
                }
            out[index + 1] = row[pixelBytes + index] &- guess
        }
        return line
    }

    private static func size(_ difference: UInt8) -> Int { Int(Int8(bitPattern: difference).magnitude) }

    static func paeth(left: UInt8, above: UInt8, corner: UInt8) -> UInt8 {
        let guess = Int(left) + Int(above) - Int(corner)
        let (a, b, c) = (abs(guess - Int(left)), abs(guess - Int(above)), abs(guess - Int(corner)))
        if a <= b && a <= c { return left }
        return b <= c ? above : corner
    }
}

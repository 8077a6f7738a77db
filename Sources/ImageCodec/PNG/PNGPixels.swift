/// Puts rows, as they come out of the inflater, where they belong.
struct PNGPixels {
    /// First column and row, and the steps between columns and rows.
    private struct Pass {
        let x: Int
        let y: Int
        let dx: Int
        let dy: Int
    }
    private static let plain = [Pass(x: 0, y: 0, dx: 1, dy: 1)]
    private static let adam7 = [
        Pass(x: 0, y: 0, dx: 8, dy: 8), Pass(x: 4, y: 0, dx: 8, dy: 8), Pass(x: 0, y: 4, dx: 4, dy: 8),
        Pass(x: 2, y: 0, dx: 4, dy: 4), Pass(x: 0, y: 2, dx: 2, dy: 4), Pass(x: 1, y: 0, dx: 2, dy: 2),
        Pass(x: 0, y: 1, dx: 1, dy: 2),
    ]

    private let format: PNGFormat
    private let colours: PNGColours
    private let inflater: Inflater
    private var raster: Raster
    private var passes: ArraySlice<Pass>
    /// The filter's number and the bytes of a row.
    private var row: [UInt8] = []
    private var above: [UInt8] = []
    private var filled = 0
    /// Into the picture.
    private var y = 0

    init(_ format: PNGFormat, _ colours: PNGColours, limits: ImageLimits) throws(ImageFault) {
        guard let inflater = Inflater() else { throw .outOfMemory }
        self.format = format
        self.colours = colours
        self.inflater = inflater
        raster = try Raster(width: format.width, height: format.height, channels: colours.channels, limits: limits)
        passes = (format.isInterlaced ? Self.adam7 : Self.plain)[...]
        beginPass()
    }

    /// All rows so far.
    var finished: Raster {
        var raster = raster
        if !passes.isEmpty { raster.completeness = .cut }
        return raster
    }

    mutating func take(_ bytes: [UInt8], _ body: Range<Int>) throws(ImageFault) {
        var at = body.lowerBound
        while !passes.isEmpty {
            let (taken, made, outcome) = inflater.inflate(
                bytes.span.extracting(0..<body.upperBound), from: at, into: &row, at: filled)
            at += taken
            filled += made
            if filled == row.count { try endRow() }
            switch outcome {
            case .going: if taken == 0, made == 0 { return }
            case .ended: return
            case .broken: throw .invalid("its pixels cannot be inflated")
            }
        }
    }

    private mutating func beginPass() {
        // Passes of small pictures have no pixel.
        while let pass = passes.first, pass.x >= format.width || pass.y >= format.height { passes.removeFirst() }
        guard let pass = passes.first else { return }
        y = pass.y
        row = [UInt8](repeating: 0, count: 1 + format.rowBytes(of: columns(of: pass)))
        above = row
        filled = 0
    }

    private func columns(of pass: Pass) -> Int { (format.width - pass.x + pass.dx - 1) / pass.dx }

    private mutating func endRow() throws(ImageFault) {
        guard let pass = passes.first else { return }
        try unfilter()
        let values = Array(row.dropFirst())
        for column in 0..<columns(of: pass) {
            let place = y * raster.rowBytes + (pass.x + column * pass.dx) * raster.channels
            colours.put(column, of: values, into: &raster.bytes, at: place)
        }
        swap(&row, &above)
        filled = 0
        y += pass.dy
        if y >= format.height {
            passes.removeFirst()
            beginPass()
        }
    }

    private mutating func unfilter() throws(ImageFault) {
        let step = format.step
        guard row[0] <= 4 else { throw .invalid("a row has a filter that PNG does not have") }
        let kind = row[0]
        guard kind > 0 else { return }
        for index in 1..<row.count {
            let left = index > step ? row[index - step] : 0
            let corner = index > step ? above[index - step] : 0
            let guess: UInt8 =
                switch kind {
                case 1: left
                case 2: above[index]
                case 3: UInt8((Int(left) + Int(above[index])) / 2)
                default: PNGFilter.paeth(left: left, above: above[index], corner: corner)
                }
            row[index] &+= guess
        }
    }
}

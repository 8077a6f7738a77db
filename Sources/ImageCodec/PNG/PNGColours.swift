/// What the values of a row are as pixels.
struct PNGColours {
    private let format: PNGFormat
    /// Red, green, blue after one another.
    var palette: [UInt8] = []
    /// Of a palette, alphas; else the one colour that is clear, of 16 bits a value. Empty for none.
    var clear: [UInt8] = []

    init(of format: PNGFormat) { self.format = format }

    /// Of the pixels that are made.
    var channels: Int {
        switch format.kind {
        case .grey: clear.isEmpty ? 1 : 2
        case .greyAlpha: 2
        case .colour, .palette: clear.isEmpty ? 3 : 4
        case .colourAlpha: 4
        }
    }

    /// Puts pixel `index` of a row at a place.
    func put(_ index: Int, of row: [UInt8], into pixels: inout [UInt8], at place: Int) {
        switch format.kind {
        case .palette:
            let colour = Int(value(index, of: row)) * 3
            // A colour that the palette lacks is black.
            for channel in 0..<3 where colour + 2 < palette.count {
                pixels[place + channel] = palette[colour + channel]
            }
            if !clear.isEmpty { pixels[place + 3] = colour / 3 < clear.count ? clear[colour / 3] : 255 }
        case .grey, .colour, .greyAlpha, .colourAlpha:
            let values = format.kind.values
            for channel in 0..<values {
                pixels[place + channel] = shade(value(index * values + channel, of: row))
            }
            guard channels > values else { return }
            pixels[place + values] = isClear(index, of: row) ? 0 : 255
        }
    }

    /// As it stands in the file.
    private func value(_ index: Int, of row: [UInt8]) -> UInt16 {
        switch format.depth {
        case 16: return UInt16(row[index * 2]) << 8 | UInt16(row[index * 2 + 1])
        case 8: return UInt16(row[index])
        default:
            let bit = index * format.depth
            let shift = 8 - format.depth - bit % 8
            return UInt16(row[bit / 8]) >> UInt16(shift) & (1 << UInt16(format.depth) - 1)
        }
    }

    private func shade(_ value: UInt16) -> UInt8 {
        switch format.depth {
        case 16: UInt8(value >> 8)
        case 8: UInt8(truncatingIfNeeded: value)
        default: UInt8(Int(value) * 255 / (1 << format.depth - 1))
        }
    }

    private func isClear(_ index: Int, of row: [UInt8]) -> Bool {
        let values = format.kind.values
        guard clear.count >= 2 * values else { return false }
        return (0..<values).allSatisfy { channel in
            let wanted = UInt16(clear[2 * channel]) << 8 | UInt16(clear[2 * channel + 1])
            return value(index * values + channel, of: row) == wanted
        }
    }
}

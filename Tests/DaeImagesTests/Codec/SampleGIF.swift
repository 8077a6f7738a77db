/// Builds GIF files whose codes are indices, never longer ones.
struct SampleGIF {
    var screen = (width: 4, height: 3)
    var frame = (left: 0, top: 0, width: 4, height: 3)
    var isInterlaced = false
    var clearIndex: UInt8?
    /// Red, green, blue; 4 colours.
    var palette: [UInt8] = [0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]
    /// Only for the frame.
    var ownPalette: [UInt8] = []
    var indices: [UInt8] = []
    var blockSize = 255

    var file: [UInt8] {
        var out = Array("GIF89a".utf8) + little(screen.width) + little(screen.height)
        out += [palette.isEmpty ? 0 : 0x81, 1, 0] + palette
        out += [0x21, 0xFE, 2, 7, 7, 0]
        if let clearIndex { out += [0x21, 0xF9, 4, 1, 0, 0, clearIndex, 0] }
        out += [0x2C] + little(frame.left) + little(frame.top) + little(frame.width) + little(frame.height)
        out += [(isInterlaced ? 0x40 : 0) | (ownPalette.isEmpty ? 0 : 0x81)] + ownPalette + [2]
        var rest = codes[...]
        while !rest.isEmpty {
            out += [UInt8(min(blockSize, rest.count))] + rest.prefix(blockSize)
            rest = rest.dropFirst(blockSize)
        }
        return out + [0, 0x3B]
    }

    /// Of three bits each: cleared before they would grow.
    private var codes: [UInt8] {
        var (bits, count, out): (Int, Int, [UInt8]) = (0, 0, [])
        func put(_ code: Int) {
            bits |= code << count
            count += 3
            while count >= 8 {
                out.append(UInt8(bits & 0xFF))
                (bits, count) = (bits >> 8, count - 8)
            }
        }
        for (place, index) in indices.enumerated() {
            if place % 2 == 0 { put(4) }
            put(Int(index))
        }
        put(5)
        return count > 0 ? out + [UInt8(bits & 0xFF)] : out
    }

    private func little(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
}

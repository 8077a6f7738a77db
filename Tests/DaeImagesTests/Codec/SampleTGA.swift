import TestSupport

/// Builds TGA files, field by field.
struct SampleTGA {
    var type: UInt8 = 2
    var width = 3
    var height = 2
    var bits: UInt8 = 24
    /// Alpha bits, and where the first pixel stands: 0x10 right, 0x20 top.
    var descriptor: UInt8 = 0x20
    var mapBits: UInt8 = 0
    var mapFirst = 0
    var map: [UInt8] = []
    var note: [UInt8] = []
    var body: [UInt8] = []

    var file: [UInt8] {
        let entries = mapBits == 0 ? 0 : map.count / ((Int(mapBits) + 7) / 8)
        return [UInt8(note.count), mapBits == 0 ? 0 : 1, type] + little(mapFirst) + little(entries) + [mapBits]
            + [0, 0, 0, 0] + little(width) + little(height) + [bits, descriptor] + note + map + body
    }

    private func little(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)] }

    /// The body as packets: runs where two pixels or more are the same, at most `longest` pixels each.
    static func packed(_ body: [UInt8], pixelBytes: Int, longest: Int = 128) -> [UInt8] {
        let pixels = stride(from: 0, to: body.count, by: pixelBytes).map { Array(body[$0..<($0 + pixelBytes)]) }
        var (out, index): ([UInt8], Int) = ([], 0)
        while index < pixels.count {
            var run = 1
            while index + run < pixels.count, run < longest, pixels[index + run] == pixels[index] { run += 1 }
            if run > 1 {
                out += [UInt8(0x7F + run)] + pixels[index]
                index += run
                continue
            }
            var end = index + 1
            while end < pixels.count, end - index < longest, pixels[end] != pixels[end - 1] { end += 1 }
            out += [UInt8(end - index - 1)] + pixels[index..<end].flatMap { $0 }
            index = end
        }
        return out
    }
}

extension SampleTGA {
    /// By Pillow's names; with noise, slopes and equal pixels.
    static func ofEveryChannelCount(_ numbers: inout SeededNumbers) -> [(String, SampleTGA)] {
        [("L", 3, 8), ("LA", 3, 16), ("RGB", 2, 24), ("RGBA", 2, 32)].map { name, type, bits in
            let (width, height) = (53, 41)
            let size = bits / 8
            let body: [UInt8] = (0..<(width * height * size)).map { index in
                let (x, y) = (index / size % width, index / size / width)
                if y < 10 { return UInt8(truncatingIfNeeded: x * 5 + index % size) }
                return y < 20 ? 77 : UInt8.random(in: 0...255, using: &numbers)
            }
            let alpha: UInt8 = size % 2 == 0 ? 0x28 : 0x20
            return (
                name,
                SampleTGA(
                    type: UInt8(type), width: width, height: height, bits: UInt8(bits), descriptor: alpha, body: body)
            )
        }
    }
}

/// Builds BMP files, field by field.
struct SampleBMP {
    var width = 3
    /// Below 0 the top row comes first.
    var height = 2
    var bits = 24
    var packing = 0
    /// Of the second header: 12, 16, 40, 52, 56, 64, 108 or 124.
    var size = 40
    var masks: [UInt32] = []
    /// Blue, green, red of each colour, and a byte of nothing but in the header of 12 bytes.
    var palette: [UInt8] = []
    var body: [UInt8] = []

    var file: [UInt8] {
        var info: [UInt8]
        if size == 12 {
            info = little(12, 4) + little(width, 2) + little(height, 2) + little(1, 2) + little(bits, 2)
        } else {
            info = little(size, 4) + little(width, 4) + little(height, 4) + little(1, 2) + little(bits, 2)
            info += little(packing, 4) + little(body.count, 4) + little(0, 8)
            info += little(palette.count / 4, 4) + little(0, 4)
            info = Array(info.prefix(size))
        }
        info += masks.flatMap { little(Int($0), 4) }
        info += [UInt8](repeating: 0, count: max(0, size - info.count))
        let start = 14 + info.count + palette.count
        return Array("BM".utf8) + little(start + body.count, 4) + little(0, 4) + little(start, 4) + info + palette
            + body
    }

    private func little(_ value: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}

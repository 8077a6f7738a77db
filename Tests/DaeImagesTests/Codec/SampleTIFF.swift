/// Builds TIFF files of one strip, field by field, in either byte order.
struct SampleTIFF {
    var width = 2
    var height = 2
    var bits = [8, 8, 8]
    var photometric = 2
    var compression = 1
    /// 1 alpha that colours are multiplied by, 2 alpha, 0 unknown.
    var extra: Int?
    /// Two at most, for several.
    var extras: [Int] = []
    var isLittle = true
    var colourMap: [Int] = []
    var body: [UInt8] = []

    var file: [UInt8] {
        let listStart = 8 + body.count + body.count % 2
        let bitsStart = listStart
        let mapStart = bitsStart + bits.count * 2
        let directory = mapStart + colourMap.count * 2
        var entries: [(tag: Int, type: Int, count: Int, value: Int)] = [
            (256, 4, 1, width), (257, 4, 1, height), (258, 3, bits.count, bits.count > 2 ? bitsStart : bits[0]),
            (259, 3, 1, compression), (262, 3, 1, photometric), (273, 4, 1, 8), (277, 3, 1, bits.count),
            (278, 4, 1, height), (279, 4, 1, body.count),
        ]
        if bits.count == 2 { entries[2].value = isLittle ? bits[0] | bits[1] << 16 : bits[0] << 16 | bits[1] }
        if !colourMap.isEmpty { entries.append((320, 3, colourMap.count, mapStart)) }
        if let extra { entries.append((338, 3, 1, extra)) }
        if extras.count == 2 { entries.append((338, 3, 2, extras[0] | extras[1] << 16)) }
        var out = Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(directory, 4) + body
        out += [UInt8](repeating: 0, count: listStart - out.count)
        out += (bits + colourMap).flatMap { number($0, 2) }
        out += number(entries.count, 2)
        for entry in entries {
            out += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4)
            let isShort = entry.type == 3 && entry.count == 1
            out += isShort ? number(entry.value, 2) + [0, 0] : number(entry.value, 4)
        }
        return out + number(0, 4)
    }

    private func number(_ value: Int, _ bytes: Int) -> [UInt8] {
        let little = (0..<bytes).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return isLittle ? little : little.reversed()
    }
}

/// Builds DDS files, field by field.
struct SampleDDS {
    var width = 4
    var height = 4
    /// Of the pixel format: 4 a code, 0x40 colours, 0x20000 grey, 1 and 2 alpha.
    var flags = 4
    var code = "DXT1"
    var bits = 0
    var masks: [UInt32] = [0, 0, 0, 0]
    /// For the code DX10.
    var dxgi: Int?
    /// 2 multiplied, 3 none; for the code DX10.
    var alphaMode = 0
    var body: [UInt8] = []

    var file: [UInt8] {
        var words = [124, 0x1007, height, width, 0, 0, 0] + [Int](repeating: 0, count: 11)
        words += [32, flags, 0, bits] + masks.map { Int($0) } + [0x1000, 0, 0, 0, 0]
        var out = Array("DDS ".utf8) + words.flatMap(little)
        out.replaceSubrange(84..<88, with: dxgi == nil ? Array(code.utf8) : Array("DX10".utf8))
        if let dxgi { out += [dxgi, 3, 0, 1, alphaMode].flatMap(little) }
        return out + body
    }

    private func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
}

import DaeNumbers
import Glibc

/// Writes many numbers into one text and remembers where each begins, so that one call decodes them all.
struct TextMaker {
    /// Ends with a NUL, for C.
    private(set) var bytes: [UInt8] = []
    private(set) var starts: [Int] = []
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func add(_ token: some Sequence<UInt8>) {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            bytes.append([0x20, 0x20, 0x20, 0x20, 0x0A, 0x09, 0x0D].randomElement(using: &random) ?? 0x20)
        }
        starts.append(bytes.count)
        bytes.append(contentsOf: token)
    }

    mutating func add(_ token: String) { add(token.utf8) }

    /// By C's `printf`; `digits` for its star.
    mutating func add(_ value: Double, _ format: String, digits: Int) {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1600) { buffer in
            let length = withVaList([Int32(digits), value]) {
                vsnprintf(buffer.baseAddress, buffer.count, format, $0)
            }
            add(buffer.prefix(Int(length)).map { UInt8(bitPattern: $0) })
        }
    }

    /// What of all texts differs from what C reads in them, a few of each.
    consuming func differences() -> [String] {
        let text = bytes
        bytes.append(0)
        let values = decode(text, as: Double.self)
        guard values.values.count == starts.count else {
            return ["\(starts.count) written, \(values.values.count) read"]
        }
        var found: [String] = []
        var infinities = 0
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
            for (index, start) in starts.enumerated() where found.count < 10 {
                let expected = strtod(base + start, nil)
                infinities += expected.isInfinite ? 1 : 0
                if expected.bitPattern != values.values[index].bitPattern {
                    let token = bytes[start...].prefix { $0 > 0x20 }
                    found.append("\(String(decoding: token, as: UTF8.self)): \(values.values[index]) for \(expected)")
                }
            }
        }
        if found.isEmpty, infinities != values.issueCount {
            found.append("\(infinities) infinities, \(values.issueCount) told of")
        }
        return found
    }
}

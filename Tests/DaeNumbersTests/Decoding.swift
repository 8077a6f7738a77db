import DaeNumbers

/// Decodes a whole text, in chunks of the given lengths, taken in turn; none means one chunk.
func decode<Number: DecodableNumber>(
    _ text: [UInt8], as type: Number.Type = Number.self, chunks: [Int] = [], expectedCount: Int? = nil,
    issueLimit: Int = 1000
) -> NumberDecoder<Number> {
    var decoder = NumberDecoder<Number>(issueLimit: issueLimit)
    text.withUnsafeBytes { bytes in
        var place = 0
        var turn = 0
        while place < bytes.count {
            let length = chunks.isEmpty ? bytes.count : chunks[turn % chunks.count]
            let end = min(place + length, bytes.count)
            decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[place..<end]))
            place = end
            turn += 1
        }
    }
    decoder.finish(expectedCount: expectedCount)
    return decoder
}

func decode<Number: DecodableNumber>(
    _ text: String, as type: Number.Type = Number.self, chunks: [Int] = [], expectedCount: Int? = nil,
    issueLimit: Int = 1000
) -> NumberDecoder<Number> {
    decode(Array(text.utf8), as: type, chunks: chunks, expectedCount: expectedCount, issueLimit: issueLimit)
}

/// The same numbers at every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

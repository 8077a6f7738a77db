// Of ids only hashes are kept wherever that is enough: 64 bits under a key that no file knows tell the ids of any document
// apart, and no file can choose some that fall together.

/// Hashes of ids, under a key that each process has of its own: to ask the system for another one for each table takes
/// longer than a small document.
struct IDHash: Sendable {
    private let key = Self.ownKey
    private let factor = Self.ownFactor

    private static let ownKey = UInt64.random(in: .min ... .max)
    /// Odd, so that no word is lost in a product.
    private static let ownFactor = UInt64.random(in: .min ... .max) | 1

    /// The hash of an id's bytes.
    @inline(__always)
    func callAsFunction(_ id: RawSpan) -> UInt64 {
        var letters: UInt64 = 0
        return hash(id, &letters)
    }

    /// The same; `nil` where not all letters are ASCII's.
    @inline(__always)
    func ofASCII(_ id: RawSpan) -> UInt64? {
        var letters: UInt64 = 0
        let hash = hash(id, &letters)
        return letters & 0x8080_8080_8080_8080 == 0 ? hash : nil
    }

    /// - Parameter letters: Gets the bits of all of them.
    @inline(__always)
    private func hash(_ id: RawSpan, _ letters: inout UInt64) -> UInt64 {
        let count = id.byteCount
        var state = key
        var at = 0
        while at &+ 8 <= count {
            let word = id.unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self)
            letters |= word
            state = fold(state ^ word)
            at &+= 8
        }
        // A bit above the last letters, of which there are seven at most, tells how many they are.
        var rest: UInt64 = 1
        while at < count {
            rest = rest << 8 | UInt64(id.unsafeLoadUnaligned(fromByteOffset: at, as: UInt8.self))
            at &+= 1
        }
        letters |= rest
        return fold(state ^ rest)
    }

    @inline(__always)
    private func fold(_ word: UInt64) -> UInt64 {
        let product = word.multipliedFullWidth(by: factor)
        return product.high ^ product.low
    }
}

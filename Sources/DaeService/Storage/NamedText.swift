// A result may be hundreds of MB long: the name is put into it piece by piece, on the way to the client.

import Daedalus
import Glibc

/// Puts another name in the place of `source.input` of a report that this program wrote: results are kept under what their
/// bytes are, and each asset's answer bears its own name.
struct NamedText: Sendable {
    private let value: [UInt8]
    private var phase = Phase.before
    private var rest: [UInt8] = []

    private enum Phase {
        case before
        /// Keys are sorted, and only the object itself begins a line with four spaces behind this one.
        case within
        /// In the value that goes, behind this byte of it.
        case value(UInt8)
        case behind
    }

    private static let object = Array("\n  \"source\": {".utf8)
    private static let key = Array("\n    \"input\": ".utf8)

    init(source: String) { value = JSONValue.string(AssetSource.display(source)).text(.compact) }

    /// What may be sent of all that came.
    mutating func take(_ piece: [UInt8]) -> [UInt8] {
        let text = rest + piece
        rest = []
        var (result, at): ([UInt8], Int) = ([], 0)
        result.reserveCapacity(text.count)
        while at < text.count {
            switch phase {
            case .before: phase = pass(Self.object, text, &at, &result) ? .within : .before
            case .within: phase = pass(Self.key, text, &at, &result) ? .value(0) : .within
            case .value(let last):
                let end = text.first([UInt8(ascii: "\n")], from: at) ?? text.count
                let before = end > at ? text[end - 1] : last
                at = end
                guard end < text.count else {
                    phase = .value(before)
                    break
                }
                result += value
                if before == UInt8(ascii: ",") { result.append(before) }
                phase = .behind
            case .behind:
                result += text[at...]
                at = text.count
            }
        }
        return result
    }

    /// The rest, when nothing more comes.
    mutating func end() -> [UInt8] { rest }

    /// Passes all up to a word and the word, or all in which none begins; whether it was there.
    private mutating func pass(_ word: [UInt8], _ text: [UInt8], _ at: inout Int, _ result: inout [UInt8]) -> Bool {
        if let found = text.first(word, from: at) {
            result += text[at..<found + word.count]
            at = found + word.count
            return true
        }
        let end = max(at, text.count - word.count + 1)
        result += text[at..<end]
        rest = Array(text[end...])
        at = text.count
        return false
    }
}

extension [UInt8] {
    /// Where a word begins, at or behind an index.
    fileprivate func first(_ word: [UInt8], from start: Int) -> Int? {
        guard let first = word.first else { return nil }
        return withUnsafeBytes { text in
            word.withUnsafeBytes { word in
                guard let base = text.baseAddress, let sought = word.baseAddress else { return nil }
                var at = start
                while text.count - at >= word.count {
                    guard let found = memchr(base + at, Int32(first), text.count - at - word.count + 1) else {
                        return nil
                    }
                    let index = base.distance(to: UnsafeRawPointer(found))
                    if memcmp(base + index, sought, word.count) == 0 { return index }
                    at = index + 1
                }
                return nil
            }
        }
    }
}

// A result may be hundreds of MB long: the name is put into it piece by piece, on the way to the client.

import Daedalus
import Hummingbird

/// A result as an answer, with the asset's name in it.
struct TextAnswer: Sendable {
    let file: OpenedFile
    /// `nil` where it is answered as it lies.
    let text: NamedText?

    /// Bytes up to which it comes with its length.
    private static let whole: Int64 = 1 << 20
    /// Bytes that are taken at once, each time on a thread of its own: no other client waits for them.
    private static let chunk = 1 << 18

    func response() async throws -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "private, no-cache"],
            body: try await body())
    }

    private func body() async throws -> ResponseBody {
        guard file.size > Self.whole else {
            let (file, text) = (file, text)
            let bytes = try await Thread.run { () throws(StorageError) in
                var (text, bytes, at): (NamedText?, [UInt8], Int64) = (text, [], 0)
                while case let piece = try file.read(at: at, count: Self.chunk), !piece.isEmpty {
                    bytes += text?.take(piece) ?? piece
                    at += Int64(piece.count)
                }
                return bytes + (text?.end() ?? [])
            }
            return ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        }
        return ResponseBody { writer in
            var (text, at) = (text, Int64(0))
            while true {
                // It ends with the client.
                try Task.checkCancellation()
                let (file, present, from) = (file, text, at)
                let (piece, named, next) = try await Thread.run { () throws(StorageError) in
                    var text = present
                    let piece = try file.read(at: from, count: Self.chunk)
                    let named = piece.isEmpty ? text?.end() : text?.take(piece)
                    return (piece.count, named ?? piece, text)
                }
                text = next
                at += Int64(piece)
                try await writer.write(ByteBuffer(bytes: named))
                if piece == 0 { break }
            }
            try await writer.finish(nil)
        }
    }
}

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

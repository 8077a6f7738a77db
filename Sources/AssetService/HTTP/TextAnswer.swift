import Daedalus
import Hummingbird

/// A result as an answer, with the asset's name in it.
struct TextAnswer: Sendable {
    let file: OpenedFile
    let text: NamedText

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
                var (text, bytes, at): (NamedText, [UInt8], Int64) = (text, [], 0)
                while case let piece = try file.read(at: at, count: Self.chunk), !piece.isEmpty {
                    bytes += text.take(piece)
                    at += Int64(piece.count)
                }
                return bytes + text.end()
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
                    return (piece.count, piece.isEmpty ? text.end() : text.take(piece), text)
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

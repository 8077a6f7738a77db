import Daedalus
import Hummingbird

extension AsyncSequence where Element == ByteBuffer {
    /// Reads a body to its end. A client that breaks off is told so: it is no fault of the service.
    func take(_ body: (ByteBuffer) throws -> Void) async throws {
        var parts = makeAsyncIterator()
        while true {
            let buffer: ByteBuffer?
            do { buffer = try await parts.next() } catch let error where !(error is CancellationError) {
                throw Problem(.badRequest, .downloadTruncated, "The connection broke before the body had ended.")
            }
            guard let buffer else { return }
            try body(buffer)
        }
    }
}

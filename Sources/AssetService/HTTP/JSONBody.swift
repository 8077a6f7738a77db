import Daedalus
import FoundationEssentials
import Hummingbird

/// Small requests in JSON.
enum JSONBody {
    private static let limit = 64 << 10

    static func read<Value: Decodable>(
        _ type: Value.Type, _ request: Request, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) async throws -> Value {
        var bytes: [UInt8] = []
        try await request.body.take { buffer in
            bytes += Array(buffer: buffer)
            guard bytes.count <= limit else {
                throw Problem(.contentTooLarge, nil, "The body has more than \(limit) bytes.")
            }
        }
        let decoder = JSONDecoder()
        decoder.userInfo = userInfo
        do { return try decoder.decode(type, from: Data(bytes)) } catch let error as DecodingError {
            throw Problem(.badRequest, nil, detail(error))
        }
    }

    private static func detail(_ error: DecodingError) -> String {
        let context: DecodingError.Context
        switch error {
        case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found): context = found
        case .keyNotFound(let key, _): return "The body has no '\(key.stringValue)'."
        @unknown default: return "The body is not what was expected."  // allowed: it may grow
        }
        let place = context.codingPath.map(\.stringValue).joined(separator: ".")
        return place.isEmpty ? "The body is no JSON that fits." : "\(place): \(context.debugDescription)"
    }
}

import FoundationEssentials
import Hummingbird

/// `Upload-Metadata`: keys with values in base 64.
struct UploadMetadata {
    private static let limit = 4096

    /// As it was given.
    let text: String
    private var values: [String: String] = [:]

    init(_ header: String) throws(Problem) {
        text = header
        guard header.utf8.count <= Self.limit else {
            throw Problem(.badRequest, nil, "Upload-Metadata has more than \(Self.limit) bytes.")
        }
        guard header.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { throw Self.malformed }
        for pair in header.split(separator: ",", omittingEmptySubsequences: false) {
            let words = pair.split(separator: " ")
            guard let key = words.first, words.count <= 2, values[String(key)] == nil else { throw Self.malformed }
            guard let data = Data(base64Encoded: words.count == 2 ? String(words[1]) : "") else { throw Self.malformed }
            values[String(key)] = String(decoding: data, as: UTF8.self)
        }
    }

    /// What the client calls the file.
    var name: String? { values["filename"] ?? values["name"] }

    private static let malformed = Problem(
        .badRequest, nil, "Upload-Metadata is no list of different keys, each with a value in base 64.")
}

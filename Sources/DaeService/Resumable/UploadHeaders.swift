// What a client says of an upload in the headers of tus 1.0. No web server's types here, so that they can be fuzzed alone.

import FoundationEssentials

/// What is wrong with such a header, for the client.
struct UploadHeaderFault: Error, Equatable {
    let text: String
}

/// `Upload-Metadata`: keys with values in base 64.
struct UploadMetadata {
    private static let limit = 4096

    /// As it was given.
    let text: String
    private var values: [String: String] = [:]

    init(_ header: String) throws(UploadHeaderFault) {
        text = header
        guard header.utf8.count <= Self.limit else {
            throw UploadHeaderFault(text: "Upload-Metadata has more than \(Self.limit) bytes.")
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

    subscript(key: String) -> String? { values[key] }

    private static let malformed = UploadHeaderFault(
        text: "Upload-Metadata is no list of different keys, each with a value in base 64.")
}

/// `Upload-Checksum`: what a client says that the bytes of one request hash to.
struct UploadChecksum {
    enum Algorithm: String, CaseIterable {
        case sha256, sha1
    }

    let algorithm: Algorithm
    let expected: [UInt8]

    /// - Parameter header: An algorithm's name and a digest in base 64.
    init(_ header: String) throws(UploadHeaderFault) {
        let words = header.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, let data = Data(base64Encoded: String(words[1])) else {
            throw UploadHeaderFault(text: "Upload-Checksum is no algorithm with a digest in base 64.")
        }
        guard let algorithm = Algorithm(rawValue: String(words[0])) else {
            let known = Algorithm.allCases.map(\.rawValue).joined(separator: ", ")
            throw UploadHeaderFault(text: "Upload-Checksum names '\(words[0].prefix(40))'; expected \(known).")
        }
        (self.algorithm, expected) = (algorithm, Array(data))
    }
}

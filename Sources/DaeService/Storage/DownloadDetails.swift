import DaeCore
import Daedalus
import FoundationEssentials

/// What a client says of the download of its link alone: what the bytes must be, and what the server asks for. The headers'
/// values are secrets, which no text shows; they are kept until the asset can be retried no more.
struct DownloadDetails: Codable, Sendable, Equatable {
    /// In hexadecimal digits.
    let sha256: String?
    /// By their names.
    let headers: [String: String]

    private static let headerLimit = 16
    private static let byteLimit = 8 << 10

    /// - Throws: ``AssetDetailFault`` for what no download can be asked for with. It tells no value of a header.
    init?(sha256: String?, headers: [String: String]?) throws(AssetDetailFault) {
        if let sha256, SHA256Digest(hex: sha256) == nil {
            throw AssetDetailFault(name: "sha256", text: "sha256 is no 64 hexadecimal digits.")
        }
        (self.sha256, self.headers) = (sha256, headers ?? [:])
        guard sha256 != nil || !self.headers.isEmpty else { return nil }
        let names = self.headers.keys.map { $0.lowercased() }
        guard names.count <= Self.headerLimit, Set(names).count == names.count,
            self.headers.reduce(0, { $0 + $1.key.utf8.count + $1.value.utf8.count }) <= Self.byteLimit
        else {
            throw AssetDetailFault(
                name: "headers",
                text:
                    "Expected \(Self.headerLimit) headers at most, of different names and \(Self.byteLimit) bytes in all."
            )
        }
        _ = try requestHeaders()
    }

    fileprivate func requestHeaders() throws(AssetDetailFault) -> [RequestHeader] {
        var all: [RequestHeader] = []
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            do { all.append(try RequestHeader(name, value)) } catch {
                throw AssetDetailFault(name: "headers", text: "headers: \(error).")
            }
        }
        return all
    }
}

extension DownloadDetails: CustomStringConvertible, CustomReflectable {
    var description: String { "\(headers.count) headers" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension WorkerOrder {
    /// Where the worker has the asset's bytes from.
    func assetSource() throws(AssetDetailFault) -> AssetSource {
        .url(source, sha256: download?.sha256, headers: try download?.requestHeaders() ?? [])
    }
}

import DaeCore
import Daedalus
import TestSupport
import Testing

@testable import DaeService

extension JobStore {
    /// Adds an asset that has no bytes.
    func add(_ asset: AssetRecord, key: RequestKey?, queueLimit: Int) async throws -> Admission {
        try await add(asset, bytes: .known, key: key, queueLimit: queueLimit)
    }
}

extension ServiceFolder {
    /// The one file of some bytes.
    func original(of digest: String) throws -> String {
        let files = try Repository.files(below: blobs).filter { $0.contains(digest) }
        #expect(files.count == 1)
        return "\(blobs)/\(try #require(files.first))"
    }
}

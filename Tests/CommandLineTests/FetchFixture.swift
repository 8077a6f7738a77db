import DaeCore
import Daedalus
import Glibc
import TestSupport
import Testing

/// A cache of its own, and the program that downloads into it.
struct FetchFixture {
    let folder: TemporaryFolder
    var cache: String { folder.path + "/cache" }
    var environment: [String: String]

    init(_ environment: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        self.environment = ["DAE_CACHE": folder.path + "/cache", "no_proxy": "*", "HOME": folder.path]
        self.environment.merge(environment) { _, given in given }
    }

    func run(_ arguments: String..., adding more: [String: String] = [:]) throws -> Program.Outcome {
        try run(arguments, adding: more)
    }

    func run(_ arguments: [String], adding more: [String: String] = [:]) throws -> Program.Outcome {
        try Program.run(
            arguments, environment: environment.merging(more) { _, given in given }, folder: folder.path)
    }

    /// Starts the program; what it writes goes to files of this name.
    func start(_ arguments: [String], as name: String) throws -> pid_t {
        try Program.start(
            arguments, output: "\(folder.path)/\(name).output", errors: "\(folder.path)/\(name).errors",
            environment: environment, folder: folder.path)
    }

    func text(_ name: String) -> String {
        String(decoding: (try? Repository.bytes(at: "\(folder.path)/\(name)")) ?? [], as: UTF8.self)
    }

    /// Files of the cache below a folder, sorted.
    func files(_ part: String) -> [String] {
        ((try? Repository.files(below: "\(cache)/\(part)")) ?? []).filter { file in
            var status = stat()
            return stat("\(cache)/\(part)/\(file)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        }
    }

    /// Checks that what is visible in the cache is what its name says.
    func expectWholeFiles(_ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws {
        for file in files("blobs") {
            let digest = SHA256Digest(hashing: try Repository.bytes(at: "\(cache)/blobs/\(file)"))
            #expect(file.hasSuffix("/" + digest.hex), comment, sourceLocation: sourceLocation)
        }
    }

    /// The line that tells of a file in the cache.
    func line(of bytes: [UInt8]) -> String {
        let digest = SHA256Digest(hashing: bytes).hex
        return "\(digest)  \(cache)/blobs/sha256/\(digest.prefix(2))/\(digest)\n"
    }
}

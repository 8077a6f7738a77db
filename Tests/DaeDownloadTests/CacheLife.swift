import DaeCore
import Glibc
import TestSupport
import Testing

@testable import DaeDownload

/// What a made-up server gives for one address at one time.
struct ServedVersion: Equatable {
    let key: CacheKey
    let url: String
    let validators: Validators
    let content: [UInt8]

    var digest: SHA256Digest { SHA256Digest(hashing: content) }

    /// Three addresses of four versions each: strong tags, a weak one, a date alone; one content is empty, and one is
    /// the same at two addresses.
    static let all: [ServedVersion] = (0..<12).map { number in
        let url = "http://host/\(number / 4)"
        let validators: Validators =
            switch number % 4 {
            case 0, 1: Validators(etag: "\"tag \\ \(number)\"")
            case 2: Validators(lastModified: "day \(number)")
            default: Validators(etag: "W/\"\(number)\"", lastModified: "day \(number)")
            }
        let size = number == 5 ? 0 : 900 + 333 * number
        let content = number == 8 ? sampleBytes(900, seed: 1) : sampleBytes(size, seed: UInt64(number + 1))
        return ServedVersion(key: CacheKey(url: url), url: url, validators: validators, content: content)
    }

    var reference: CacheReference {
        CacheReference(
            url: url, finalURL: url + "/final", sha256: digest, size: Int64(content.count), contentType: nil,
            suggestedName: "model", validators: validators, storedAt: 1, freshUntil: nil)
    }
}

/// Random operations on a cache, until they or the process that makes them end.
struct CacheLife {
    let system: DyingSystem
    let cache: DownloadCache
    var numbers: SeededNumbers

    init(_ folder: String, _ system: DyingSystem, seed: UInt64) {
        self.system = system
        cache = DownloadCache(folder: folder, sizeLimit: .bytes(8000), files: system.files)
        numbers = SeededNumbers(seed: seed)
    }

    mutating func run(operations: Int) {
        for _ in 0..<operations where !system.isDead {
            do {
                try operate()
            } catch DownloadFailure.checksumMismatch {
            } catch {
                #expect(system.isDead, "a living process failed: \(error)")
            }
        }
    }

    private mutating func operate() throws {
        guard let version = ServedVersion.all.randomElement(using: &numbers) else { return }
        switch Int.random(in: 0..<16, using: &numbers) {
        case 0..<8:
            let isFirst = Int.random(in: 0..<3, using: &numbers) > 0
            try fetch(isFirst ? ServedVersion.all[Int.random(in: 0..<4, using: &numbers)] : version)
        case 8: _ = cache.reference(for: version.key)
        case 9: _ = cache.blob(of: version.digest)
        case 10: _ = try cache.prune(to: Int64.random(in: 0...6000, using: &numbers))
        case 11: _ = try cache.prune(unusedFor: .seconds(Int64.random(in: 0...2000, using: &numbers)))
        case 12: _ = try cache.clear()
        case 13: #expect(try cache.verify().damaged == [])
        case 14: _ = try cache.contents()
        default: system.wait(Int64.random(in: 0...2000, using: &numbers))
        }
    }

    /// A transfer as a downloader makes it, which may be cut, fail and be wrong.
    private mutating func fetch(_ version: ServedVersion) throws {
        let isCut = Bool.random(using: &numbers)
        try fetch(version, upTo: isCut ? Int.random(in: 0...version.content.count, using: &numbers) : nil)
    }

    /// - Parameter cut: After how many bytes it ends; `nil` for the whole.
    private mutating func fetch(_ version: ServedVersion, upTo cut: Int?) throws {
        let lock = try CacheLock.acquire(version.key, in: cache, isStopped: { false }, onWait: {})
        let file = PartialFile(holding: lock, checkpoint: 700)
        if let kept = file.kept, kept.validators == version.validators {
            try expectBeginning(kept, of: version, in: cache)
            try file.resume { false }
        } else {
            try file.begin(
                url: version.url, validators: version.validators,
                total: Bool.random(using: &numbers) ? nil : Int64(version.content.count))
        }
        let end = cut ?? version.content.count
        while file.size < end {
            let start = Int(file.size)
            try file.write(Array(version.content[start..<Int.random(in: start + 1...end, using: &numbers)]))
        }
        guard cut == nil else { return Int.random(in: 0..<4, using: &numbers) > 0 ? file.keep() : file.discard() }
        let wrong = SHA256Digest(hashing: [1])
        let promised = [nil, version.digest, version.digest, wrong].randomElement(using: &numbers) ?? nil
        let (_, digest) = try file.commit(verifying: promised.map { [$0] } ?? [])
        #expect(digest == version.digest)
        if Int.random(in: 0..<8, using: &numbers) > 0 { try cache.store(version.reference, holding: lock) }
    }

    /// One transfer, as far as the process lives.
    mutating func run(_ version: ServedVersion, upTo cut: Int?) {
        do {
            try fetch(version, upTo: cut)
        } catch DownloadFailure.checksumMismatch {
        } catch {
            #expect(system.isDead, "a living process failed: \(error)")
        }
    }
}

func expectBeginning(
    _ kept: KeptBytes, of version: ServedVersion, in cache: DownloadCache, _ history: Comment? = nil
) throws {
    let bytes = content(of: cache.partialPath(of: version.key))
    #expect(bytes.count >= kept.bytes && kept.bytes > 0, history)
    #expect(version.content.starts(with: bytes.prefix(Int(kept.bytes))), history)
    #expect(kept.total ?? Int64(version.content.count) == version.content.count, history)
}

extension PartialFile {
    func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { bytes in try write(bytes) }
    }
}

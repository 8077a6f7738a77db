import DaeCore
import Testing

@testable import DaeDownload

@Suite struct DownloadCacheTests {
    @Test(arguments: [
        (["DAE_CACHE": "/x", "XDG_CACHE_HOME": "/y", "HOME": "/z"], "/x"),
        (["DAE_CACHE": "relative"], "relative"),
        (["DAE_CACHE": "", "XDG_CACHE_HOME": "/y", "HOME": "/z"], "/y/daedalus"),
        (["XDG_CACHE_HOME": "y", "HOME": "/z"], "/z/.cache/daedalus"),
        (["XDG_CACHE_HOME": "", "HOME": "/z"], "/z/.cache/daedalus"),
        (["HOME": ""], ".cache/daedalus"),
        ([:], ".cache/daedalus"),
    ])
    func theFolderComesFromTheEnvironment(environment: [String: String], folder: String) {
        #expect(DownloadCache.defaultFolder(environment: environment) == folder)
    }

    @Test func aContentLiesUnderItsDigest() {
        let digest = SHA256Digest(hashing: Array("abc".utf8))
        #expect(DownloadCache(folder: "/c").path(of: digest) == "/c/blobs/sha256/ba/\(digest.hex)")
    }

    @Test func anEmptyFolderIsThePresentOne() {
        #expect(DownloadCache(folder: "").folder == ".")
    }
}

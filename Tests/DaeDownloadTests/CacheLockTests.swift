import Glibc
import TestSupport
import Testing

@testable import DaeDownload

@Suite struct CacheLockTests {
    private let key = CacheKey(url: "http://host/a")

    @Test func aLockIsHeldAgainstOthersUntilItsValueGoes() throws {
        let fixture = try CacheFixture()
        do {
            let lock = try fixture.lock("http://host/a")
            #expect(try CacheLock.attempt(key, in: fixture.cache) == nil)
            #expect(try CacheLock.attempt(CacheKey(url: "http://host/b"), in: fixture.cache) != nil)
            withExtendedLifetime(lock) {}
        }
        #expect(try CacheLock.attempt(key, in: fixture.cache) != nil)
    }

    @Test func aWaitIsToldOnceAndEndsWhenItIsStopped() throws {
        let fixture = try CacheFixture()
        let lock = try fixture.lock("http://host/a")
        var (waits, questions) = (0, 0)
        #expect(throws: DownloadFailure.cancelled) {
            _ = try CacheLock.acquire(
                key, in: fixture.cache,
                isStopped: {
                    questions += 1
                    return waits == 1 && questions > 20
                }, onWait: { waits += 1 })
        }
        #expect(waits == 1)
        withExtendedLifetime(lock) {}
    }

    @Test func whoWaitsGetsTheLockWhenItIsFreed() throws {
        let fixture = try CacheFixture()
        var held: CacheLock? = try fixture.lock("http://host/a")
        _ = try CacheLock.acquire(key, in: fixture.cache, isStopped: { false }, onWait: { held = nil })
        #expect(held == nil)
    }

    @Test func aLockFileMayBeRemovedByWhoHoldsIt() throws {
        let fixture = try CacheFixture()
        var held: CacheLock? = try fixture.lock("http://host/a")
        held?.removeFile()
        held = nil
        let second = try #require(try CacheLock.attempt(key, in: fixture.cache))
        #expect(try CacheLock.attempt(key, in: fixture.cache) == nil)
        withExtendedLifetime(second) {}
    }

    @Test(.enabled(if: ChildProcess.find("flock") != nil, "flock is not installed"))
    func theKernelFreesTheLockOfAKilledProcess() throws {
        let fixture = try CacheFixture()
        _ = try fixture.lock("http://host/a")
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let child = try ChildProcess.start(
            "flock", ["--no-fork", fixture.cache.lockPath(of: key), "sh", "-c", "echo; exec sleep 1000"],
            descriptors: [(ends[1], 1)])
        close(ends[1])
        var byte: UInt8 = 0
        #expect(read(ends[0], &byte, 1) == 1)
        close(ends[0])
        #expect(try CacheLock.attempt(key, in: fixture.cache) == nil)
        kill(child, SIGKILL)
        #expect(ChildProcess.wait(for: child) == 128 + SIGKILL)
        #expect(try CacheLock.attempt(key, in: fixture.cache) != nil)
    }

    @Test func aLockFileThatIsALinkIsNotFollowed() throws {
        let fixture = try CacheFixture()
        _ = try fixture.lock("http://host/a")
        unlink(fixture.cache.lockPath(of: key))
        #expect(symlink(fixture.folder.path + "/other", fixture.cache.lockPath(of: key)) == 0)
        #expect(throws: DownloadFailure.self) { try CacheLock.attempt(key, in: fixture.cache) }
        #expect(access(fixture.folder.path + "/other", F_OK) != 0)
    }
}

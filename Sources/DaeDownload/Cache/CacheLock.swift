// The kernel frees the lock with the process, however it ends. A lock file may be removed by whoever holds its lock; who
// was waiting then holds a file without a name, sees it, and opens the new one.

import DaeCore

/// The right to fetch what one key stands for, held against all other processes and threads until the value goes. A
/// class because it owns a descriptor.
final class CacheLock {
    let key: CacheKey
    let cache: DownloadCache
    private let file: CacheFile

    private init(_ key: CacheKey, in cache: DownloadCache, _ file: CacheFile) {
        self.key = key
        self.cache = cache
        self.file = file
    }

    /// Blocks until the lock is had, and makes the cache's folders where they are missing.
    ///
    /// - Parameters:
    ///   - isStopped: Asked at least every 50 ms; ends the wait with `.cancelled`.
    ///   - onWait: Called once, when another has held the lock for some tenths of a second.
    static func acquire(
        _ key: CacheKey, in cache: DownloadCache, isStopped: () -> Bool, onWait: () -> Void
    ) throws(DownloadFailure) -> CacheLock {
        try cache.prepare()
        var pause: Int = 1
        var waited = 0
        while true {
            guard !isStopped() else { throw .cancelled }
            if let lock = try attempt(key, in: cache) { return lock }
            var time = timespec(tv_sec: 0, tv_nsec: pause * 1_000_000)
            nanosleep(&time, nil)
            if waited < patience, waited + pause >= patience { onWait() }
            waited += pause
            pause = min(pause * 2, 50)
        }
    }

    /// Milliseconds: shorter waits are for those who only look.
    private static let patience = 150

    /// A child that this process has just started holds a copy of the descriptor, and so the lock, until it begins its own
    /// program: a lock that seems to be held is looked at again, a millisecond later.
    private static let mostLooks = 5

    /// The lock, if nobody holds it. The cache must have been prepared.
    static func attempt(_ key: CacheKey, in cache: DownloadCache) throws(DownloadFailure) -> CacheLock? {
        let path = cache.lockPath(of: key)
        try cache.files.makeInnerFolder(cache.lockFolder(of: key))
        var looks = 0
        while true {
            let file = try cache.files.openForWriting(path)
            guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else {
                guard errno != EINTR else { continue }
                guard errno == EWOULDBLOCK else { throw FileSystem.failure("lock", path, errno) }
                looks += 1
                guard looks < mostLooks else { return nil }
                usleep(1000)
                continue
            }
            guard let held = file.status, cache.files.linkStatus(of: path)?.identity == held.identity else { continue }
            return CacheLock(key, in: cache, file)
        }
    }

    /// Removes the lock file. The lock is held until the value goes, but only against those who already wait.
    consuming func removeFile() {
        cache.files.remove(file.path)
    }
}

import Glibc

extension FileSystem.Calls {
    /// The system's own. What a download was fetched with may have been a secret, so that folders and files are for
    /// their owner alone.
    static let kernel = FileSystem.Calls(
        makeFolder: { mkdir($0, 0o700) },
        open: { Glibc.open($0, $1, 0o600) },
        write: { Glibc.write($0, $1.baseAddress, $1.count) },
        truncate: { ftruncate($0, off_t($1)) },
        sync: { fsync($0) },
        rename: { Glibc.rename($0, $1) },
        remove: { unlink($0) },
        setTime: { path, seconds in
            let time = timespec(tv_sec: Int(seconds), tv_nsec: 0)
            return withUnsafeTemporaryAllocation(of: timespec.self, capacity: 2) { times in
                times.initialize(repeating: time)
                return utimensat(AT_FDCWD, path, times.baseAddress, AT_SYMLINK_NOFOLLOW)
            }
        },
        bootID: { boot },
        now: { Int64(time(nil)) })

    private static let boot: String? = {
        let bytes = FileSystem().content(of: "/proc/sys/kernel/random/boot_id", limit: 100)
        let text = String(decoding: (bytes ?? []).filter { $0 > 0x20 }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }()
}

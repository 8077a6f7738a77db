import Glibc

/// Files and connections that a process may have open.
enum OpenFiles {
    /// Takes as many as the system gives without being asked for privileges: what shells give by default is less than the
    /// connections that are taken.
    static func takeAll() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 65_536))
        _ = setrlimit(resource, &limit)
    }
}

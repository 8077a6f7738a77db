import Glibc

/// What the process used so far.
struct Usage {
    /// CPU seconds, user and system.
    let seconds: Double
    /// Bytes in memory now, free ones given back first; and at most so far.
    let resident: Int
    let peak: Int

    init() {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        seconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
        peak = usage.ru_maxrss * 1024
        _ = Self.trim?(0)
        var pages = 0
        if let file = fopen("/proc/self/statm", "r") {
            var text = [CChar](repeating: 0, count: 128)
            fgets(&text, 128, file)
            fclose(file)
            let words = String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " ")
            pages = words.count > 1 ? Int(words[1]) ?? 0 : 0
        }
        resident = pages * sysconf(Int32(_SC_PAGESIZE))
    }

    /// Not in Glibc's module: gives what was freed back to the system.
    private static let trim: (@convention(c) (Int) -> Int32)? = dlsym(nil, "malloc_trim").map {
        unsafeBitCast($0, to: (@convention(c) (Int) -> Int32).self)
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}

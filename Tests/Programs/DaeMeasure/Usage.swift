import CLibMalloc
import Glibc

/// What the process used so far.
struct Usage {
    /// CPU seconds, user and system.
    let seconds: Double
    /// Bytes in use.
    let live: Int
    /// Bytes in memory, those of the program's files aside, and pages that are free as a whole given back first; more than
    /// are in use where those in use lie scattered.
    let resident: Int
    /// The most bytes in memory so far.
    let peak: Int

    init() {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        seconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
        peak = usage.ru_maxrss * 1024
        live = Int(measure_live_bytes())
        malloc_trim(0)
        var pages = 0
        if let file = fopen("/proc/self/statm", "r") {
            var text = [CChar](repeating: 0, count: 128)
            fgets(&text, 128, file)
            fclose(file)
            let words = String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " ")
            if words.count > 2, let all = Int(words[1]), let shared = Int(words[2]) { pages = all - shared }
        }
        resident = pages * sysconf(Int32(_SC_PAGESIZE))
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}

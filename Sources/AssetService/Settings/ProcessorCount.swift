import FoundationEssentials
import Glibc

/// Processors of this machine.
enum ProcessorCount {
    /// Those that this process may be run on; fewer where its control group has less time than theirs, as containers do.
    static var usable: Int {
        let count = ProcessInfo.processInfo.activeProcessorCount
        return max(1, min(count, quota ?? count))
    }

    /// Of the control group, in whole processors, rounded up; `nil` where nothing bounds it.
    private static var quota: Int? {
        guard let file = fopen("/sys/fs/cgroup/cpu.max", "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = fread(&bytes, 1, bytes.count, file)
        return quota(in: String(decoding: bytes.prefix(count), as: UTF8.self))
    }

    /// - Parameter text: Microseconds, or `max`, and of how many.
    static func quota(in text: String) -> Int? {
        let words = text.split { $0 == " " || $0 == "\n" }
        guard words.count == 2, let time = Int(words[0]), let period = Int(words[1]), time > 0, period > 0 else {
            return nil
        }
        return (time - 1) / period + 1
    }
}

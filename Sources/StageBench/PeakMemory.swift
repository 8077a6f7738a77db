// Linux keeps the peak for the life of a process, but lets it be set back to what is in memory now.

import Glibc

enum PeakMemory {
    /// Forgets the peak so far, where the system allows it.
    static func reset() {
        let file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, "5", 1)
        close(file)
    }

    /// `nil` where the system does not tell.
    static func bytes() -> Int64? {
        let file = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let text = [UInt8](unsafeUninitializedCapacity: 8192) { buffer, count in
            count = max(0, Glibc.read(file, buffer.baseAddress, buffer.count))
        }
        for line in text.split(separator: UInt8(ascii: "\n")) where line.starts(with: "VmHWM:".utf8) {
            let digits = line.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            return Int64(String(decoding: digits, as: UTF8.self)).map { $0 * 1024 }
        }
        return nil
    }
}

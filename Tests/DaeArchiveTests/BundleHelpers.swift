import DaeCore
import DaeDiagnostics
import TestSupport

@testable import DaeArchive

extension Bundle {
    static func open(_ bytes: [UInt8], name: String = "a.zip", limits: ArchiveLimits = .init()) throws(CodedFailure)
        -> Bundle
    {
        try open(MemoryByteSource(bytes), name: name, limits: limits)
    }

    static func open(_ builder: ZipBuilder, limits: ArchiveLimits = .init()) throws(CodedFailure) -> Bundle {
        try open(builder.bytes(), limits: limits)
    }

    /// The whole of the entry, read `chunkSize` bytes at a time.
    func contents(_ path: String, chunkSize: Int = 65_536) throws -> [UInt8] {
        guard let entry = entry(at: path) else { throw Missing(path: path) }
        var bytes: [UInt8] = []
        try read(entry, chunkSize: chunkSize) { bytes.append(contentsOf: $0) }
        return bytes
    }

    struct Missing: Error { let path: String }
}

/// The code with which `work` fails; `nil` where it does not.
func code(_ work: () throws(CodedFailure) -> Void) -> FindingCode? {
    do throws(CodedFailure) {
        try work()
        return nil
    } catch {
        return error.code
    }
}

func code(opening builder: ZipBuilder, limits: ArchiveLimits = .init()) -> FindingCode? {
    code { () throws(CodedFailure) in _ = try Bundle.open(builder, limits: limits) }
}

/// Text with runs in it, so that it deflates.
func sampleBytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var numbers = SeededNumbers(seed: seed)
    var bytes: [UInt8] = []
    while bytes.count < count {
        bytes += [UInt8](
            repeating: UInt8.random(in: 0...255, using: &numbers), count: .random(in: 1...300, using: &numbers))
    }
    return Array(bytes.prefix(count))
}

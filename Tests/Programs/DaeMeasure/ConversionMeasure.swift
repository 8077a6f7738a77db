import CLibMalloc
import DaeCollada
import DaeExport
import Glibc

/// What a conversion to .glb took in memory, from the document's text to the file.
struct ConversionMeasure {
    /// Of the file.
    let outputBytes: Int
    /// The most bytes in memory, beyond those before.
    let peakBytes: Int

    /// What there is whatever the size: rooms that text is decoded in and numbers are written through, and pages of the
    /// program that were not needed before.
    static let fixedBytes = 2 << 20

    /// Twice what is written, and what is fixed.
    var allowedBytes: Int { 2 * outputBytes + Self.fixedBytes }

    init(of document: [UInt8]) throws {
        let place = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(place)/measure.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure.noFolder }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let path = folder + "/out.glb"
        defer {
            unlink(path)
            rmdir(folder)
        }
        malloc_trim(0)
        try Self.forgetPeak()
        let before = try Self.status("VmRSS:")
        try Self.convert(document, to: path)
        peakBytes = try Self.status("VmHWM:") - before
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw Failure.noFile }
        outputBytes = Int(facts.st_size)
    }

    enum Failure: Error {
        case noFolder, noFile
        /// Without the system's count the measure would say nothing.
        case noCount(String)
    }

    private static func convert(_ document: [UInt8], to path: String) throws {
        var options = ColladaOptions()
        options.arrays = .archive
        options.spool = NumberSpool(fileBytes: 1 << 32)
        // The least: what stays in memory up to a bound is as much for any document.
        options.spool?.memoryBytes = 1 << 19
        let parser = ColladaParser(options: options)
        let chunk = 64 << 10
        try document.withUnsafeBytes { all in
            for start in stride(from: 0, to: all.count, by: chunk) {
                try parser.read(UnsafeRawBufferPointer(rebasing: all[start..<min(start + chunk, all.count)]))
            }
        }
        _ = try ExportFormat.glb.write(try parser.finish().document.scene(options: options).scene, to: path)
    }

    // MARK: - The system's count

    /// The most bytes in memory are from now on those that are there now.
    private static func forgetPeak() throws {
        let path = "/proc/self/clear_refs"
        guard let file = fopen(path, "w") else { throw Failure.noCount(path) }
        let isWritten = fputs("5", file) >= 0
        guard fclose(file) == 0, isWritten else { throw Failure.noCount(path) }
    }

    /// Bytes on a line of what the system says of this process.
    private static func status(_ name: String) throws -> Int {
        guard let file = fopen("/proc/self/status", "r") else { throw Failure.noCount(name) }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let words = text.split { $0 == " " || $0 == "\t" || $0 == "\n" }
            if words.count > 1, words[0] == name, let kilobytes = Int(words[1]) { return kilobytes * 1024 }
        }
        throw Failure.noCount(name)
    }
}

// Documents of a bundle that the chosen one refers to.

import Archive
import ColladaParser
import Diagnostics
import ResourceLocator

/// Finds and reads the documents of one bundle. A class since what it finds out about the bundle's names, which takes
/// a while in a large one, is only found out when a document refers to another, and then kept.
final class BundleDocuments {
    private let bundle: Bundle
    private let chunkSize: Int
    private let isCancelled: () -> Bool
    private lazy var locator = ResourceLocator(container: bundle)
    /// Paths by themselves in lower case; `nil` where several differ in nothing else.
    private lazy var pathsInLowerCase = Dictionary(
        bundle.entries.map { ($0.path.lowercased(), Optional($0.path)) }, uniquingKeysWith: { _, _ in nil })

    init(bundle: Bundle, chunkSize: Int, isCancelled: @escaping () -> Bool) {
        self.bundle = bundle
        self.chunkSize = chunkSize
        self.isCancelled = isCancelled
    }

    var loader: DocumentLoader {
        DocumentLoader(locate: locate, read: read)
    }

    private func locate(_ file: String, from base: String) -> DocumentLoader.Location {
        let resolution = locator.resolve(file, from: base)
        switch resolution.outcome {
        case .found(let path, _, .certain): return found(path, nil)
        case .found(let path, let rule, _):
            return found(path, "\(file.prefix(200).debugDescription) was found as \(path) (\(rule.rawValue))")
        case .remote: return .blocked(reason: "is on the web, which is not read")
        case .embedded: return .blocked(reason: "is no file")
        case .blocked(let reason): return .blocked(reason: reason.text)
        case .ambiguous(_, let count, _): return .blocked(reason: "could be any of \(count) files")
        case .missing:
            for candidate in resolution.trace {
                guard let path = pathsInLowerCase[candidate.path.lowercased()] ?? nil else { continue }
                return found(path, "\(file.prefix(200).debugDescription) was found as \(path) (in other letters)")
            }
            return .missing(tried: resolution.trace.first?.path ?? file)
        }
    }

    private func found(_ path: String, _ remark: String?) -> DocumentLoader.Location {
        .found(path: path, bytes: bundle.entry(at: path)?.size ?? 0, remark: remark)
    }

    private func read(_ path: String, _ options: ColladaOptions) throws -> ColladaParser.Reading {
        guard let entry = bundle.entry(at: path) else {
            throw InspectionError(.sourceNotFound, Place(entry: path), "there is no such entry")
        }
        return try ColladaParser(options: options).read(
            entry, of: bundle, chunkSize: chunkSize, progress: { _ in }, isCancelled: isCancelled)
    }
}

extension ColladaParser {
    /// Reads a whole entry.
    ///
    /// - Throws: `ArchiveError`, ``ColladaError``, or `CancellationError` when `isCancelled` said so.
    func read(
        _ entry: Bundle.Entry, of bundle: Bundle, chunkSize: Int, progress: (Int64) -> Void, isCancelled: () -> Bool
    ) throws -> Reading {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, chunkSize), alignment: 16)
        defer { buffer.deallocate() }
        let reader = try bundle.reader(for: entry)
        while true {
            let count = try reader.read(into: buffer)
            if count == 0 { break }
            if isCancelled() { throw CancellationError() }
            try read(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            progress(bytesRead)
        }
        return try finish()
    }
}

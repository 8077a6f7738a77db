import DaeArchive
import DaeCore
import DaeDiagnostics
package import DaeResources

/// Puts a scene, and the documents and images that it uses, into one archive: every file beside the others under a plain
/// name, every reference a relative path that leads there, nothing that is not used. The same scene gives the same bytes.
package struct Packer: Sendable {
    /// What the archive is.
    package enum Form: String, Sendable, CaseIterable {
        /// With a `manifest.xml` that names the scene.
        case zae
        /// With a `doc.kml` that shows it.
        case kmz
        case zip

        /// What a file's name ends in; `nil` for none of them.
        package init?(path: String) {
            let name = path.lowercased()
            guard let form = Self.allCases.first(where: { name.hasSuffix("." + $0.rawValue) }) else { return nil }
            self = form
        }
    }

    /// What became of it all.
    package struct Report: Sendable, Equatable {
        package struct File: Sendable, Equatable {
            /// In the archive.
            package let path: String
            /// Where it was: in the source, or as a file of this machine is shown; `nil` for a manifest that was made.
            package let origin: String?
            package let bytes: Int64
        }
        /// A name that stands in a document and is another one now.
        package struct Rewriting: Sendable, Hashable {
            /// In the archive.
            package let document: String
            package let from: String
            package let to: String
            /// By which it was found under the old name.
            package let rule: ResolutionRule?
        }
        /// Something that a document names and the archive does not have.
        package struct Absence: Sendable, Hashable {
            package let document: String
            package let reference: String
            package let status: Resolution.Status
        }
        package internal(set) var files: [File] = []
        package internal(set) var rewritings: [Rewriting] = []
        package internal(set) var absences: [Absence] = []
        /// Entries of the source that nothing uses.
        package internal(set) var unused: [String] = []
        /// Of the archive.
        package internal(set) var bytes: Int64 = 0
    }

    private let source: LiveBundle
    private let form: Form

    package init(_ source: LiveBundle, as form: Form) {
        self.source = source
        self.form = form
    }

    /// Writes the archive; a file there before is replaced once it is whole.
    ///
    /// - Throws: ``CodedFailure``, or `CancellationError`: nothing is left behind then.
    package func write(to path: String, isCancelled: () -> Bool) throws -> Report {
        try withoutActuallyEscaping(isCancelled) { try write(to: path, stopping: $0) }
    }

    private func write(to path: String, stopping isCancelled: @escaping () -> Bool) throws -> Report {
        let choice = try source.choice()
        let result = try source.inspect(choice, isCancelled: isCancelled)
        let plan = PackPlan(choice, result.references)
        let contents = PackContents(source: source, locator: try source.locator(), isCancelled: isCancelled)
        var report = Report()
        report.unused = result.inspection.bundle.unused
        let archive = try ArchiveWriter()
        if let manifest = try plan.manifest(form, contents) {
            try archive.add(manifest.path, .deflated, bytes: manifest.bytes)
            report.files.append(
                .init(path: manifest.path, origin: manifest.origin, bytes: Int64(manifest.bytes.count)))
        }
        for document in plan.documents {
            let (bytes, rewritings) = try plan.rewritten(try contents.bytes(of: document.file), document)
            try archive.add(document.name, .deflated, bytes: bytes)
            report.rewritings += rewritings
            report.files.append(
                .init(path: document.name, origin: document.file.path, bytes: Int64(bytes.count)))
        }
        for image in plan.images {
            var size: Int64 = 0
            try archive.add(image.name, Self.compression(of: image.name)) { take in
                try contents.read(image.file) { bytes in
                    size += Int64(bytes.count)
                    try take(bytes)
                }
            }
            report.files.append(.init(path: image.name, origin: image.file.path, bytes: size))
        }
        report.absences = plan.absences
        try archive.finish(at: path, isCancelled: isCancelled)
        report.bytes = FileMetadata(following: path)?.size ?? 0
        return report
    }

    /// What is compressed by itself becomes no smaller.
    private static func compression(of name: String) -> ArchiveWriter.Compression {
        let ending = name.lowercased().split(separator: ".").last ?? ""
        return ["png", "jpg", "jpeg", "webp", "gif", "ktx2"].contains(ending) ? .stored : .deflated
    }
}

/// A file of the source.
struct PackedFile {
    /// In the bundle, or as a file of this machine is shown.
    let path: String
    /// `nil` for an entry of the bundle.
    let resolution: Resolution?
}

/// Reads the source's files.
struct PackContents {
    let source: LiveBundle
    let locator: ResourceLocator
    let isCancelled: () -> Bool

    func bytes(of file: PackedFile) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try read(file) { bytes.append(contentsOf: $0) }
        return bytes
    }

    func read(_ file: PackedFile, _ take: (UnsafeRawBufferPointer) throws -> Void) throws {
        let size = 1 << 18
        if let resolution = file.resolution, let found = try locator.source(of: resolution) {
            var offset: Int64 = 0
            while offset < found.size {
                if isCancelled() { throw CancellationError() }
                let bytes = try found.bytes(at: offset, count: Int(min(Int64(size), found.size - offset)))
                guard !bytes.isEmpty else { break }
                try bytes.withUnsafeBytes(take)
                offset += Int64(bytes.count)
            }
            return
        }
        guard let entry = source.bundle.file(at: file.path) else {
            throw CodedFailure(.sourceNotFound, at: Place(entry: file.path), "it is no file of the bundle any more")
        }
        try source.bundle.read(entry, chunkSize: size) { bytes in
            if isCancelled() { throw CancellationError() }
            try take(bytes)
        }
    }
}

import Archive
import ByteSource
import Diagnostics
import Inspection
import ResourceLocator

extension AssetOperations.LiveOptions {
    /// Reads a bundle's scene as these options say.
    func inspector(of file: AssetFile, _ bundle: Bundle) throws -> Inspector {
        var inspector = Inspector(
            options: collada, policy: policy, loneDocument: try loneDocument(file, bundle))
        inspector.webFetch = webFetch
        inspector.address = file.webAddress
        inspector.validates = validates
        inspector.keeper = keeper
        return inspector
    }

    private var takesFolders: Bool {
        switch (policy, loneDocuments) {
        case (.hostPaths, _), (.bundleOnly, .inFolder): true
        case (.bundleOnly, .asPolicy): false
        }
    }

    /// Where a document that lies among other files has its bundle; none as the library and the service have it.
    func loneDocument(_ file: AssetFile, _ bundle: Bundle) throws -> LoneDocument? {
        switch (file.location, bundle.kind) {
        // What came out of an archive lies among no files of this machine.
        case (.path(let path), .dae) where file.entry == nil && takesFolders:
            do throws(LoneDocument.Failure) {
                return try LoneDocument.locate(path, root: root)
            } catch {
                switch error {
                case .missing(let cause): throw StageError(.sourceNotFound, cause.description)
                case .notBelow(let root):
                    throw StageError(.sourceNotFound, "\(path) does not lie below the root \(root)")
                }
            }
        case (.path, .dae), (.path, .zae), (.path, .zip), (.path, .kmz), (.path, .folder), (.cached, _), (.remote, _),
            (.memory, _):
            return nil
        }
    }
}

extension AssetFile {
    /// Where the file came from on the web; `nil` for all other files, and for what lies within one.
    var webAddress: String? {
        guard entry == nil else { return nil }
        switch AssetSource(input, exists: { _ in false }).location {
        case .url(let url): return url
        case .path, .standardInput: return nil
        }
    }
}

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

    /// Where a document that lies among other files has its bundle; none for the library's and the service's policy.
    func loneDocument(_ file: AssetFile, _ bundle: Bundle) throws -> LoneDocument? {
        switch (policy, file.location, bundle.kind) {
        // What came out of an archive lies among no files of this machine.
        case (.hostPaths, .path(let path), .dae) where file.entry == nil:
            do throws(LoneDocument.Failure) {
                return try LoneDocument.locate(path, root: root)
            } catch {
                switch error {
                case .missing(let cause): throw StageError(.sourceNotFound, cause.description)
                case .notBelow(let root):
                    throw StageError(.sourceNotFound, "\(path) does not lie below the root \(root)")
                }
            }
        case (.hostPaths, .path, .dae), (.hostPaths, .path, .zae), (.hostPaths, .path, .zip), (.hostPaths, .path, .kmz),
            (.hostPaths, .path, .folder), (.hostPaths, .cached, _), (.hostPaths, .remote, _),
            (.hostPaths, .memory, _), (.bundleOnly, _, _):
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

import URIReference

/// Finds which file of a bundle a document's reference means, and says by which rule.
///
/// Reads names only, never a file's bytes.
public struct ResourceLocator: Sendable {
    private let container: any ResourceContainer
    private let baseNames: BaseNameIndex

    /// Takes the container's list of paths once; files that come later are not found by name.
    public init(container: any ResourceContainer) {
        self.container = container
        self.baseNames = BaseNameIndex(container.paths)
    }

    /// Follows a reference that stands in the document at `base`, a path in the bundle.
    ///
    /// - Complexity: a bounded number of lookups, whatever the bundle's size.
    public func resolve(_ reference: String, from base: String) -> Resolution {
        func settled(_ outcome: Resolution.Outcome) -> Resolution {
            Resolution(reference: reference, isAbsolute: false, trace: [], outcome: outcome)
        }
        switch Reference(reference) {
        case .empty: return settled(.missing)
        case .remote(let url): return settled(.remote(url: url))
        case .embedded(let mediaType): return settled(.embedded(mediaType: mediaType))
        case .blocked(let reason): return settled(.blocked(reason))
        case .local(let text, let isFileURI):
            var search = ReferenceSearch(text, folder: BundlePath.folder(of: base), in: container, baseNames)
            let outcome = search.run()
            return Resolution(
                reference: reference, isAbsolute: isFileURI || search.isAbsolute, trace: search.trace,
                outcome: outcome)
        }
    }
}

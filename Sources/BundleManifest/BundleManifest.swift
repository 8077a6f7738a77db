public import Archive
public import Diagnostics

/// Picks a bundle's scene: what a manifest names, the only document, else the best of several.
public enum BundleManifest {
    /// What becomes of links in a manifest that exporters write otherwise than they should.
    public enum Repairs: Sendable, Hashable {
        /// Back-slashes are taken for slashes, and files found as those of references are; both are told.
        case made
        case refused
    }

    /// Whether documents are looked into, for those that others refer to are no scenes.
    public enum Documents: Sendable, Hashable {
        case searched
        /// The same, and the caller takes each model, so that none is told to be left out.
        case each
        /// The same, also where a manifest names one.
        case all
        case unread
    }

    /// Finds the file that a manifest means where it is not there as written: its path, and how it was found.
    public typealias Locator = (_ reference: String, _ manifest: String) -> (path: String, how: String)?

    /// - Parameters:
    ///   - given: The path of the scene when the caller named it.
    ///   - locate: Asked for links that lead nowhere; never where repairs are refused.
    /// - Returns: The choice, and what was odd about the bundle's manifests.
    /// - Throws: ``BundleManifestError`` when there is no document, or not the one that was asked for.
    public static func scene(
        of bundle: Bundle, given: String? = nil, repairs: Repairs = .made, documents: Documents = .searched,
        locate: Locator? = nil
    ) throws(BundleManifestError) -> (choice: SceneChoice, findings: FindingLog) {
        var chooser = SceneChooser(bundle, repairs, documents, locate)
        let choice = try chooser.choose(given: given)
        return (choice, chooser.findings)
    }
}

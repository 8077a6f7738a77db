public import Diagnostics
public import SceneModel

extension ColladaDocument {
    /// The scene this document means by itself; ``linked(options:by:)`` is for one that refers to others.
    ///
    /// - Returns: The scene, and what was odd in what the document refers to.
    /// - Throws: ``ColladaError`` when instancing makes more nodes than the budget.
    public func scene(options: ColladaOptions = ColladaOptions()) throws(ColladaError) -> (
        scene: Scene, log: FindingLog
    ) {
        // Without a loader nothing is read, so nothing can be thrown.
        let linked = (try? linked(options: options)) ?? LinkedDocument(self, path: options.documentPath)
        return try LinkedDocument.scene(of: linked, options: options)
    }
}

public import Diagnostics
public import SceneModel

extension ColladaDocument {
    /// The scene this document means.
    ///
    /// - Returns: The scene, and what was odd in what the document refers to.
    /// - Throws: ``ColladaError`` when instancing makes more nodes than the budget.
    public func scene(options: ColladaOptions = ColladaOptions()) throws(ColladaError) -> (
        scene: Scene, log: FindingLog
    ) {
        var builder = SceneBuilder(self, options: options)
        let scene = try builder.build()
        return (scene, builder.log)
    }
}

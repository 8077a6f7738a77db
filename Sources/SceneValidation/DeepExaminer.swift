public import ColladaParser
public import Diagnostics

/// The rules that need the numbers of a mesh, a skin or an animation: asked at each unit's end, before they are given
/// back.
public struct DeepExaminer: UnitExaminer {
    private var geometries = GeometryRules()
    private var skins = SkinRules()
    private var curves = CurveRules()
    private var inputs = InputRules()

    public init() {}

    public mutating func examine(_ geometry: GeometryUnit, _ log: inout FindingLog) {
        geometries.check(geometry, &log)
    }

    public mutating func examine(_ skin: SkinUnit, _ log: inout FindingLog) { skins.check(skin, &log) }

    public mutating func examine(_ sampler: SamplerUnit, _ log: inout FindingLog) { curves.check(sampler, &log) }

    /// Only where there is something to tell, which comes behind what other rules tell of the whole document.
    public mutating func asksAgain(of mesh: ColladaDocument.Mesh) -> Bool {
        SourceRules.haveFault(mesh.sources) || inputs.haveFault(in: mesh)
    }
}

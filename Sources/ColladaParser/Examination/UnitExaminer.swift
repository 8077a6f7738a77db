public import Diagnostics

/// Looks at each geometry, controller and sampler of a document at its end, while all of its numbers are in memory.
///
/// One examiner sees one document, in the order in which its units end, so it may remember what it saw. What it finds
/// goes into the reading's log. Nothing has been mended but what a unit says: indices may lead anywhere.
public protocol UnitExaminer {
    mutating func examine(_ geometry: GeometryUnit, _ log: inout FindingLog)
    mutating func examine(_ skin: SkinUnit, _ log: inout FindingLog)
    mutating func examine(_ sampler: SamplerUnit, _ log: inout FindingLog)
    /// Whether the sources and inputs of a mesh, its numbers aside, are to be kept for rules over the whole document: the
    /// others go with their geometry, and what is asked of them is asked here.
    mutating func asksAgain(of mesh: ColladaDocument.Mesh) -> Bool
}

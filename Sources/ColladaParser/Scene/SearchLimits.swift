// A search for a sid walks through all that is below an element, and a document can make every address do so. So the
// steps are counted, for all of a document's searches of one kind together, and what is left out is told once.

import Diagnostics

/// How much of what a document asks for is done at most.
struct SearchLimits {
    /// Elements that addresses of kinematics pass.
    var kinematics = 2_000_000
    /// Nodes and transforms that addresses through instances pass.
    var nodes = 4_000_000
    /// Names of physics models that instance each other.
    var physics = 2_000_000
    /// Nodes that the joints of skins are looked for among; eight times those of the scene if that is more.
    var joints = 1_000_000
    /// Inputs that textures' coordinates are looked for among, for each material and mesh that come together.
    var texcoords = 5_000_000
    /// Symbols and bindings that are held against each other where an instance does not bind all that its mesh asks for.
    var bindings = 1_000_000
    /// Channels, where those of an effect count once for each of its materials; beyond it only for the first of them.
    var channels = 1_000_000
    /// How often the numbers of all samplers are converted into other units and axes.
    var convertedCurves = 4
}

extension FindingLog {
    /// Tells that a limit was reached.
    ///
    /// - Parameter work: What there is more of than the limit, as the start of a sentence.
    mutating func tellLimit(_ limit: Int, _ work: String) {
        add(
            .workLimitExceeded, "\(work) \(limit), the most allowed; what is beyond is left out",
            arguments: [.init("limit", "\(limit)")])
    }
}

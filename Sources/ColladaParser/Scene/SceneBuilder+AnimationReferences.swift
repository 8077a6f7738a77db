// The sources and samplers that animations refer to: one that leads nowhere is told all the same.

import Diagnostics
import XMLReader

extension SceneBuilder {
    /// A channel may use any animation's sampler, and a sampler any animation's sources.
    mutating func checkAnimations() {
        var sources: Set<OwnedID> = []
        var samplers: Set<OwnedID> = []
        for animation in document.animations {
            let owner = animation.position.document
            for id in animation.sources { sources.insert(OwnedID(document: owner, id: id)) }
            for case let id? in animation.samplers.map(\.id) { samplers.insert(OwnedID(document: owner, id: id)) }
        }
        for animation in document.animations {
            for sampler in animation.samplers {
                for input in sampler.inputs { check(input.source, isIn: sources, expected: "source") }
            }
            for channel in animation.channels { check(channel.source, isIn: samplers, expected: "sampler") }
        }
    }

    private struct OwnedID: Hashable {
        let document: Int
        let id: String
    }

    private mutating func check(_ reference: ColladaDocument.Reference, isIn ids: Set<OwnedID>, expected: String) {
        let owner = reference.document
        guard !ids.contains(OwnedID(document: owner, id: reference.id)),
            !ids.contains(OwnedID(document: owner, id: reference.id.percentDecoded))
        else { return }
        log.add(
            .accessorNoSource, at: Place(reference.position),
            "\(reference.text.prefix(200).debugDescription) is not the id of a <\(expected)> of an animation",
            arguments: [.init("reference", reference.text)])
    }
}

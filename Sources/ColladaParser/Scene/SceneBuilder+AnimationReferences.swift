// The sources and samplers that animations refer to: one that leads nowhere is told all the same.

import Diagnostics
import XMLReader

extension SceneBuilder {
    /// A channel may use any animation's sampler, and a sampler any animation's sources.
    mutating func checkAnimations() {
        // By document.
        var sources = linked.paths.map { _ in IDTable<Void>() }
        var samplers = sources
        for animation in document.animations where sources.indices.contains(animation.position.document) {
            let owner = animation.position.document
            for id in animation.sources { sources[owner].insert((), for: id) }
            for sampler in animation.samplers {
                if let id = sampler.id { samplers[owner].insert((), for: id) }
            }
        }
        for animation in document.animations {
            for sampler in animation.samplers {
                for input in sampler.inputs { check(input.source, isIn: sources, expected: "source") }
            }
            for channel in animation.channels { check(channel.source, isIn: samplers, expected: "sampler") }
        }
    }

    private mutating func check(
        _ reference: ColladaDocument.Reference, isIn ids: [IDTable<Void>], expected: String
    ) {
        guard !reference.isAbsent else { return }
        let owner = reference.document
        if !reference.isLocal, reference.file == nil, ids.indices.contains(owner), ids[owner][idOf: reference] != nil {
            table.tellMissingHash(reference, &log)
            return
        }
        if ids.indices.contains(owner),
            ids[owner][idOf: reference] != nil || ids[owner][reference.id.percentDecoded] != nil
        {
            return
        }
        log.add(
            .accessorNoSource, at: Place(reference.position),
            "\(reference.text.prefix(200).debugDescription) is not the id of a <\(expected)> of an animation",
            arguments: [.init("reference", reference.text)])
    }
}

// References that lead to nothing the scene holds: one that leads nowhere is told all the same.

import Diagnostics
import XMLReader

extension SceneBuilder {
    mutating func checkOthers() {
        for controller in document.controllers {
            switch controller.kind {
            case .morph(let morph): checkTargets(of: morph, in: controller)
            case .skin, .empty: break
            }
        }
        checkAnimations()
    }

    private mutating func checkTargets(of morph: ColladaDocument.Morph, in controller: ColladaDocument.Controller) {
        for target in morph.targetNames {
            let id = target.hasPrefix("#") ? String(target.dropFirst()) : target
            if case .geometry? = table.lookUp(id, where: { $0.element == "geometry" }) { continue }
            var place = Place(controller.position)
            place.elementID = controller.id
            log.add(
                .morphTargetUnresolved, at: place,
                "the target \(target.prefix(200).debugDescription) is not the id of a geometry",
                arguments: [.init("reference", target)])
        }
    }

    /// A channel may use any animation's sampler, and a sampler any animation's sources.
    private mutating func checkAnimations() {
        let sources = Set(document.animations.flatMap(\.sources))
        let samplers = Set(document.animations.flatMap(\.samplers).compactMap(\.id))
        for animation in document.animations {
            for sampler in animation.samplers {
                for input in sampler.inputs { check(input.source, isIn: sources, expected: "source") }
            }
            for channel in animation.channels { check(channel.source, isIn: samplers, expected: "sampler") }
        }
    }

    private mutating func check(_ reference: ColladaDocument.Reference, isIn ids: Set<String>, expected: String) {
        guard !ids.contains(reference.id), !ids.contains(reference.id.percentDecoded) else { return }
        log.add(
            .accessorNoSource, at: Place(reference.position),
            "\(reference.text.prefix(200).debugDescription) is not the id of a <\(expected)> of an animation",
            arguments: [.init("reference", reference.text)])
    }
}

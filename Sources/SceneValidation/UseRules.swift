// What nothing refers to is told where it begins. Used is what any element refers to, shown or not: what hangs on an
// unused element is not told again.

import ColladaParser
import Diagnostics
import SceneModel
import XMLReader

/// Elements of libraries that are in no use. Those of other documents are not looked at: a library serves many.
enum UseRules {
    static func check(_ subject: SceneRules.Subject, _ places: DocumentPlaces, _ log: inout FindingLog) {
        let document = subject.linked.document
        // 1.3 refers by other ways than these.
        if document.version?.hasPrefix("1.3") == true { return }
        // A document that shows nothing itself is a library for others.
        if subject.document.visualScenes.isEmpty && subject.document.scene == nil { return }
        let use = ElementUse(document, subject.scene)
        for (index, element) in document.images.enumerated()
        where element.position.document == 0 && use.images.map({ !$0[index] }) == true {
            var place = Place(element.position)
            place.elementID = element.id
            let name = shown(element.id, element.name)
            log.add(
                .imageUnused, at: place, "no effect samples the image \(spoken(name))",
                arguments: [.init("image", name)])
        }
        for index in document.controllers.indices where document.controllers[index].position.document == 0 {
            guard !use.controllers[index] else { continue }
            let name = shown(document.controllers[index].id, document.controllers[index].name)
            switch document.controllers[index].kind {
            case .skin:
                log.add(
                    .skinNotInstanced, at: places.controller(index), "nothing instances the skin \(spoken(name))",
                    arguments: [.init("controller", name)])
            case .morph, .empty: tell("controller", name, at: places.controller(index), &log)
            }
        }
        for element in document.unusedElements(use) where element.position.document == 0 {
            let name = shown(element.id, element.name)
            tell(
                element.kind, name,
                at: places.library(element.library, element.kind, id: element.id, at: element.position), &log)
        }
        for index in document.nodes.indices where use.isIdle(index, places) {
            tell("node", shown(document.nodes[index].id, document.nodes[index].name), at: places.node(index), &log)
        }
    }

    private static let nameless = "without an id"

    private static func shown(_ id: String?, _ name: String?) -> String { id ?? name ?? nameless }

    /// As a name within a sentence.
    private static func spoken(_ name: String) -> String { name == nameless ? name : name.quoted() }

    private static func tell(
        _ kind: String, _ name: String, at place: @autoclosure () -> Place, _ log: inout FindingLog
    ) {
        log.add(
            .refUnused, at: place(), "nothing refers to the \(kind) \(spoken(name))",
            arguments: [.init("element", kind), .init("name", name)])
    }
}

extension ColladaDocument {
    fileprivate struct Element {
        let kind: String
        let library: String
        let id: String?
        let name: String?
        let position: XMLPosition
    }

    /// Kind by kind.
    fileprivate func unusedElements(_ use: ElementUse) -> [Element] {
        var unused: [Element] = []
        for index in geometries.indices where !use.geometries[index] {
            unused.append(
                Element(
                    kind: "geometry", library: "geometries", id: geometries[index].id, name: geometries[index].name,
                    position: geometries[index].position))
        }
        for index in materials.indices where !use.materials[index] {
            let one = materials[index]
            unused.append(
                Element(kind: "material", library: "materials", id: one.id, name: one.name, position: one.position))
        }
        for index in effects.indices where !use.effects[index] {
            let one = effects[index]
            unused.append(
                Element(kind: "effect", library: "effects", id: one.id, name: one.name, position: one.position))
        }
        for index in cameras.indices where !use.cameras[index] {
            let one = cameras[index]
            unused.append(
                Element(
                    kind: "camera", library: "cameras", id: one.camera.id, name: one.camera.name,
                    position: one.position))
        }
        for index in lights.indices where !use.lights[index] {
            let one = lights[index]
            unused.append(
                Element(
                    kind: "light", library: "lights", id: one.light.id, name: one.light.name, position: one.position))
        }
        for index in animations.indices where !use.animations[index] {
            let one = animations[index]
            unused.append(
                Element(kind: "animation", library: "animations", id: one.id, name: one.name, position: one.position))
        }
        return unused
    }
}

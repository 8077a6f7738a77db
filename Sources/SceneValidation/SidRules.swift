import ColladaParser
import Diagnostics
import SceneModel
import XMLReader

/// Sids that stand side by side.
enum SidRules {
    static func check(_ subject: SceneRules.Subject, _ places: DocumentPlaces, _ log: inout FindingLog) {
        let document = subject.linked.document
        // More than one sid directly within a node is rare.
        for index in document.nodesOfSeveralSIDs { checkNode(index, document, places, &log) }
        for scene in document.visualScenes {
            var scope = Scope()
            for root in scene.nodes { scope.add(document.nodes[root].sid, root, &log, at: { places.node($0) }) }
        }
        for model in document.physicsModels {
            var scope = Scope()
            func place(_ index: Int) -> Place {
                let bodies = model.bodies.count
                let (element, sid, position) =
                    index < bodies
                    ? ("rigid_body", model.bodies[index].sid, model.bodies[index].position)
                    : (
                        "rigid_constraint", model.constraints[index - bodies].sid,
                        model.constraints[index - bodies].position
                    )
                return places.library(
                    "physics_models", "physics_model", id: model.id, inner: "/\(element)[@sid='\(sid ?? "")']",
                    at: position)
            }
            for (index, sid) in (model.bodies.map(\.sid) + model.constraints.map(\.sid)).enumerated() {
                scope.add(sid, index, &log, at: place)
            }
        }
    }

    private static func checkNode(
        _ index: Int, _ document: ColladaDocument, _ places: DocumentPlaces, _ log: inout FindingLog
    ) {
        var scope = Scope()
        for sid in document.nodes[index].transformSIDs { scope.add(sid, index, &log, at: { places.node($0) }) }
        for child in document.nodes[index].contents.children {
            scope.add(document.nodes[child].sid, child, &log, at: { places.node($0) })
        }
        for instance in document.instanceSIDs[index] ?? [] {
            scope.add(instance.sid, index, &log, at: { places.node($0) })
        }
    }

    /// The sids of one element's children.
    private struct Scope {
        /// Nearly always one or none: a set is only made of more.
        private var first: (sid: String, holder: Int)?
        private var known: [String: Int] = [:]

        /// - Parameters:
        ///   - holder: By which `place` knows the element that the sid is told at.
        ///   - place: Makes a path, so it is asked only for what is told.
        mutating func add(_ sid: String?, _ holder: Int, _ log: inout FindingLog, at place: (Int) -> Place) {
            guard let sid, !sid.isEmpty else { return }
            guard let first else {
                self.first = (sid, holder)
                return
            }
            if known.isEmpty { known[first.sid] = first.holder }
            guard let earlier = known[sid] else {
                known[sid] = holder
                return
            }
            log.add(
                .sidDuplicate, at: place(holder),
                "the sid \(sid.quoted()) stands twice side by side; the first one counts",
                arguments: [.init("sid", sid)], related: [place(earlier)])
        }
    }
}

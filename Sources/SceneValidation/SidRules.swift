import ColladaParser
import Diagnostics
import SceneModel
import XMLReader

/// Sids that stand side by side.
enum SidRules {
    static func check(_ subject: SceneRules.Subject, _ places: DocumentPlaces, _ log: inout FindingLog) {
        let document = subject.linked.document
        for index in document.nodes.indices {
            let sids = document.nodes[index].transformSIDs
            // Most nodes have one transform with a sid or none, and no children with one.
            guard sids.count > 1 || document.nodes[index].contents.count > 1 || !sids.isEmpty else { continue }
            checkNode(index, document, places, &log)
        }
        for scene in document.visualScenes {
            var scope = Scope()
            for root in scene.nodes { scope.add(document.nodes[root].sid, &log) { places.node(root) } }
        }
        for model in document.physicsModels {
            var scope = Scope()
            func place(_ element: String, _ sid: String?, _ position: XMLPosition) -> Place {
                places.library(
                    "physics_models", "physics_model", id: model.id, inner: "/\(element)[@sid='\(sid ?? "")']",
                    at: position)
            }
            for body in model.bodies { scope.add(body.sid, &log) { place("rigid_body", body.sid, body.position) } }
            for joint in model.constraints {
                scope.add(joint.sid, &log) { place("rigid_constraint", joint.sid, joint.position) }
            }
        }
    }

    private static func checkNode(
        _ index: Int, _ document: ColladaDocument, _ places: DocumentPlaces, _ log: inout FindingLog
    ) {
        var scope = Scope()
        for sid in document.nodes[index].transformSIDs { scope.add(sid, &log) { places.node(index) } }
        for case .node(let child) in document.nodes[index].contents {
            scope.add(document.nodes[child].sid, &log) { places.node(child) }
        }
        for instance in document.instanceSIDs[index] ?? [] { scope.add(instance.sid, &log) { places.node(index) } }
    }

    /// The sids of one element's children.
    private struct Scope {
        /// Nearly always one or none: a set is only made of more.
        private var first: (sid: String, place: Place)?
        private var known: [String: Place] = [:]

        mutating func add(_ sid: String?, _ log: inout FindingLog, at place: () -> Place) {
            guard let sid, !sid.isEmpty else { return }
            guard let first else {
                self.first = (sid, place())
                return
            }
            if known.isEmpty { known[first.sid] = first.place }
            guard let earlier = known[sid] else {
                known[sid] = place()
                return
            }
            log.add(
                .sidDuplicate, at: place(), "the sid \(sid.quoted) stands twice side by side; the first one counts",
                arguments: [.init("sid", sid)], related: [earlier])
        }
    }
}

import DaeCollada
import DaeDiagnostics
import DaeScene
import DaeXML

/// Sids that stand side by side.
enum SidRules {
    static func check(_ subject: SceneRules.Subject, _ log: inout FindingLog) {
        let document = subject.linked.document
        // More than one sid directly within a node is rare.
        for index in document.nodesOfSeveralSIDs { checkNode(index, document, &log) }
        for scene in document.visualScenes {
            var scope = Scope()
            for root in scene.nodes {
                scope.add(document.nodes[root].sid, root, &log, at: { Place(document.nodes[$0].position) })
            }
        }
        for model in document.physicsModels {
            var scope = Scope()
            func place(_ index: Int) -> Place {
                let bodies = model.bodies.count
                let position =
                    index < bodies ? model.bodies[index].position : model.constraints[index - bodies].position
                return Place(position, of: model.id)
            }
            for (index, sid) in (model.bodies.map(\.sid) + model.constraints.map(\.sid)).enumerated() {
                scope.add(sid, index, &log, at: place)
            }
        }
    }

    private static func checkNode(_ index: Int, _ document: ColladaDocument, _ log: inout FindingLog) {
        var scope = Scope()
        for sid in document.nodes[index].transformSIDs {
            scope.add(sid, index, &log, at: { Place(document.nodes[$0].position) })
        }
        for child in document.nodes[index].children {
            scope.add(document.nodes[child].sid, child, &log, at: { Place(document.nodes[$0].position) })
        }
        for instance in document.instanceSIDs[index] ?? [] {
            scope.add(instance.sid, index, &log, at: { Place(document.nodes[$0].position) })
        }
    }

    /// The sids of one element's children.
    private struct Scope {
        /// Nearly always one or none: a set is only made of more.
        private var first: (sid: String, holder: Int)?
        private var known: [String: Int] = [:]

        /// - Parameters:
        ///   - holder: By which `place` knows the element that the sid is reported at.
        ///   - place: Makes a path, so it is asked only for what is reported.
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

// A path of sids is walked breadth first, as the specification says: of several elements at one depth the first is
// taken. Instances are not followed here.

/// Paths of sids that could mean several elements.
enum SidPathRules {
    static func check(_ subject: SceneRules.Subject, _ log: inout FindingLog) {
        let document = subject.linked.document
        guard document.animations.contains(where: { !$0.channels.isEmpty }) else { return }
        var walk = SidWalk(document)
        for animation in document.animations {
            for channel in animation.channels {
                guard let found = walk.ambiguity(of: channel.target) else { continue }
                let place = Place(channel.target.position, of: animation.id)
                let text = channel.target.text
                log.add(
                    .sidrefAmbiguous, at: place,
                    "\(found.nodes.count) elements at one depth have the sid \(found.sid.quoted()) of the path \(text.quoted()); the first one is taken",
                    arguments: [
                        .init("target", text), .init("sid", found.sid), .init("count", "\(found.nodes.count)"),
                    ], related: found.nodes.prefix(8).map { Place(document.nodes[$0].position) })
            }
        }
    }
}

private struct SidWalk {
    struct Ambiguity {
        let sid: String
        /// Those that have it, or whose transform has it.
        let nodes: [Int]
    }
    private struct Start: Hashable {
        let node: Int
        let sid: String
    }

    private let document: ColladaDocument
    private let nodesByID: [String: Int]
    /// What has a sid nearest below a node.
    private var known: [Start: [Int]] = [:]
    private var reported: Set<Start> = []
    /// Nodes that are passed for one document: more are asked for by none that an exporter wrote.
    private var stepsLeft = 4_000_000

    init(_ document: ColladaDocument) {
        self.document = document
        var nodes: [String: Int] = [:]
        for index in document.nodes.indices where document.nodes[index].position.document == 0 {
            if let id = document.nodes[index].id, nodes[id] == nil { nodes[id] = index }
        }
        nodesByID = nodes
    }

    /// - Returns: The first step that could lead to several; `nil` as well where it was reported before.
    mutating func ambiguity(of target: ColladaDocument.Reference) -> Ambiguity? {
        guard target.document == 0 else { return nil }
        var steps = target.text.split(separator: "/").map(String.init)
        guard steps.count > 1, var node = nodesByID[steps.removeFirst()] else { return nil }
        for (place, step) in steps.enumerated() {
            let sid = place + 1 < steps.count ? step : Self.withoutMember(step)
            let found = nearest(sid, below: node)
            if found.count > 1, reported.insert(Start(node: node, sid: sid)).inserted {
                return Ambiguity(sid: sid, nodes: found)
            }
            guard let first = found.first else { return nil }
            node = first
        }
        return nil
    }

    /// A sid may hold a dot itself; then nothing is found, and nothing reported.
    private static func withoutMember(_ step: String) -> String {
        String(step.prefix { $0 != "." && $0 != "(" })
    }

    private mutating func nearest(_ sid: String, below root: Int) -> [Int] {
        let start = Start(node: root, sid: sid)
        if let known = known[start] { return known }
        var found: [Int] = []
        var level = [root]
        while found.isEmpty, !level.isEmpty, stepsLeft > 0 {
            var next: [Int] = []
            for node in level {
                stepsLeft -= 1
                if document.nodes[node].transformSIDs.contains(sid) { found.append(node) }
                for child in document.nodes[node].children {
                    if document.nodes[child].sid == sid { found.append(child) }
                    next.append(child)
                }
            }
            level = next
        }
        known[start] = found
        return found
    }
}

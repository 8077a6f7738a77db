// What each controller deforms, and the mesh at the end of its chain.

import Diagnostics
import SceneModel
import XMLReader

/// Where a controller's source leads.
struct ControllerLink {
    var source: Controller.Source?
    var base: SceneIndex<Geometry>?
}

extension SceneBuilder {
    /// What is known of the mesh at the end of a chain of controllers.
    private enum Base {
        case unknown
        /// Passed on the way that is walked now.
        case open
        case known(SceneIndex<Geometry>?)
    }

    /// Each chain is walked once, however many lead to it, so that a broken end is told once. Cycles are cut.
    mutating func links() -> [ControllerLink] {
        var links = [ControllerLink](repeating: ControllerLink(), count: document.controllers.count)
        var bases = [Base](repeating: .unknown, count: document.controllers.count)
        for start in bases.indices {
            var chain: [Int] = []
            let end = walk(from: start, &chain, &bases, &links)
            for passed in chain { bases[passed] = .known(end) }
        }
        for (index, base) in bases.enumerated() {
            switch base {
            case .known(let geometry): links[index].base = geometry
            case .unknown, .open: break
            }
        }
        return links
    }

    /// - Parameter chain: The controllers that were passed; their base is what is returned.
    private mutating func walk(
        from start: Int, _ chain: inout [Int], _ bases: inout [Base], _ links: inout [ControllerLink]
    ) -> SceneIndex<Geometry>? {
        var next = start
        while true {
            switch bases[next] {
            case .known(let geometry): return geometry
            case .open:
                let length = chain.count - (chain.firstIndex(of: next) ?? 0)
                let place = Place(document.controllers[next].position)
                log.add(
                    .refCycle, at: place,
                    "a controller is its own source by way of \(length) controllers")
                if let last = chain.last { links[last].source = nil }
                return nil
            case .unknown: break
            }
            bases[next] = .open
            chain.append(next)
            let source: ColladaDocument.Reference
            var code = FindingCode.refUnresolved
            switch document.controllers[next].kind {
            case .skin(let skin): (source, code) = (skin.source, .skinSourceUnresolved)
            case .morph(let morph): source = morph.source
            case .empty: return nil
            }
            switch find(source, ["geometry", "controller"], severity: .error, else: code) {
            case .geometry(let index):
                links[next].source = .geometry(SceneIndex(index))
                return SceneIndex(index)
            case .controller(let index):
                links[next].source = .controller(SceneIndex(index))
                next = index
            case .some(let other):
                tellWrongType(source, other, expected: "geometry or controller")
                return nil
            case nil: return nil
            }
        }
    }
}

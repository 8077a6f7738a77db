// The mesh at the end of each chain of controllers.

import Diagnostics
import SceneModel
import XMLReader

extension SceneBuilder {
    /// What is known of the mesh at the end of a chain of controllers.
    private enum Base {
        case unknown
        /// Passed on the way that is walked now.
        case open
        case known(SceneIndex<Geometry>?)
    }

    /// For each controller the mesh at the end of its chain; each is walked once, however many lead to it, so that a
    /// broken end is told once.
    mutating func bases() -> [SceneIndex<Geometry>?] {
        var bases = [Base](repeating: .unknown, count: document.controllers.count)
        for start in bases.indices {
            var chain: [Int] = []
            let end = walk(from: start, &chain, &bases)
            for passed in chain { bases[passed] = .known(end) }
        }
        return bases.map { base in
            switch base {
            case .known(let geometry): geometry
            case .unknown, .open: nil
            }
        }
    }

    /// - Parameter chain: The controllers that were passed; their base is what is returned.
    private mutating func walk(from start: Int, _ chain: inout [Int], _ bases: inout [Base]) -> SceneIndex<Geometry>? {
        var next = start
        while true {
            switch bases[next] {
            case .known(let geometry): return geometry
            case .open:
                let length = chain.count - (chain.firstIndex(of: next) ?? 0)
                log.add(
                    .refCycle, at: Place(document.controllers[next].position),
                    "a controller is its own source by way of \(length) controllers")
                return nil
            case .unknown: break
            }
            bases[next] = .open
            chain.append(next)
            let source: ColladaDocument.Reference
            switch document.controllers[next].kind {
            case .skin(let skin): source = skin.source
            case .morph(let morph): source = morph.source
            case .empty: return nil
            }
            switch find(source, ["geometry", "controller"], severity: .error) {
            case .geometry(let index): return SceneIndex(index)
            case .controller(let index): next = index
            case .some(let other):
                tellWrongType(source, other, expected: "geometry or controller")
                return nil
            case nil: return nil
            }
        }
    }
}

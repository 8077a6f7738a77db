import DaeMesh
import DaeScene

/// Which symbols of a geometry are bound alike wherever it is shown: primitives that ask for them are drawn alike.
struct SymbolClasses {
    private struct Bound: Hashable {
        let old: Int
        let binding: MaterialBinding
    }

    /// By geometry; symbols that nothing binds are of class 0, and in no dictionary.
    private var classes: [[String: Int]]
    private var last = 0

    /// - Complexity: O(bindings of all instances).
    init(_ scene: Scene) {
        classes = [[String: Int]](repeating: [:], count: scene.geometries.count)
        for node in scene.nodes {
            for instance in node.instances {
                switch instance {
                case .geometry(let geometry, let bindings): split(geometry, bindings)
                case .controller(let controller, skeleton: _, let bindings):
                    if let base = scene.controllers[controller].base { split(base, bindings) }
                case .camera, .light: break
                }
            }
        }
    }

    /// Parts symbols that were alike until now and are not in one instance. Those that it does not bind keep their class.
    private mutating func split(_ geometry: SceneIndex<Geometry>, _ bindings: [MaterialBinding]) {
        var changed: [String: Int] = [:]
        var known: [Bound: Int] = [:]
        // Of several bindings of a symbol the first counts.
        for binding in bindings where changed[binding.symbol] == nil {
            let plain = MaterialBinding(
                symbol: "", material: binding.material, vertexInputs: binding.vertexInputs,
                parameters: binding.parameters)
            let bound = Bound(old: classes[geometry.value][binding.symbol] ?? 0, binding: plain)
            if known[bound] == nil {
                last += 1
                known[bound] = last
            }
            changed[binding.symbol] = known[bound]
        }
        classes[geometry.value].merge(changed) { $1 }
    }

    func number(of symbol: String, in geometry: SceneIndex<Geometry>) -> Int { classes[geometry.value][symbol] ?? 0 }
}

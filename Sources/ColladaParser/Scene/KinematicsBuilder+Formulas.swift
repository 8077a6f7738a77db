// Which joints follow which.

import Diagnostics
import SceneModel
import XMLReader

extension KinematicsBuilder {
    mutating func addFormulas() {
        for formula in document.formulas {
            var target: String?
            if case .parameter(let reference)? = formula.target { target = reference.text }
            kinematics.formulas.append(
                KinematicFormula(
                    id: formula.id, sid: formula.sid, name: formula.name, target: target,
                    parameters: formula.parameters.map(\.sid), symbols: formula.symbols))
            var place = Place(formula.position)
            place.elementID = formula.id
            references.log.add(.formulaUnsupported, at: place, "the formula is kept but not evaluated")
            let system = systems.system(at: formula.position)
            if system != systems.main {
                references.log.add(
                    .assetNestedUnit, at: place,
                    "the formula is written in \(system), the scene in \(systems.main); its numbers stay as they are",
                    arguments: [
                        .init("element", "formula"), .init("system", system.description),
                        .init("expected", systems.main.description),
                    ])
            }
        }
    }

    /// Adds a formula at work to the model whose joint it moves.
    ///
    /// - Parameter axis: What it moves unless it says so itself.
    mutating func add(_ use: ColladaDocument.FormulaUse, from scope: Int, axis: JointAxisReference? = nil) {
        let index: Int
        var names: [String: String] = [:]
        switch use {
        case .own(let own): index = own
        case .instance(sid: _, name: _, let reference, let settings):
            guard let found = references.find(reference, "formula") else { return }
            index = found
            for setting in settings {
                switch setting.value {
                case .connected(let other), .sidref(let other): names[setting.reference.text] = other.text
                case .real, .integer, .bool, .empty: break
                }
            }
        }
        let formula = kinematics.formulas[index]
        let target = formula.target.map { names[$0] ?? $0 }
        let moved = target.flatMap { joint($0, from: scope) } ?? axis.map { .init(model: $0.model, joint: $0.joint) }
        var sources: [JointReference] = []
        var known: Set<JointReference> = []
        for symbol in formula.symbols {
            guard let source = joint(names[symbol] ?? symbol, from: scope), known.insert(source).inserted else {
                continue
            }
            sources.append(source)
        }
        guard let model = (moved ?? sources.first)?.model else { return }
        kinematics.models[model.value].formulas.append(
            JointFormula(
                formula: SceneIndex(index), joint: moved?.joint,
                sources: sources.filter { $0.model == model }.map(\.joint)))
    }
}

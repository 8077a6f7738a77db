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
            names = self.names(set: settings, of: index, from: scope)
        }
        let formula = kinematics.formulas[index]
        let own = Set(formula.parameters)
        let target = formula.target.map { names[$0] ?? $0 }
        let moved = target.flatMap { joint($0, from: scope) } ?? axis.map { .init(model: $0.model, joint: $0.joint) }
        if let target = formula.target, names[target] == nil, !own.contains(target) {
            tellUnlessKnown(target, of: index, from: scope)
        }
        var sources: [JointReference] = []
        var known: Set<JointReference> = []
        for symbol in formula.symbols {
            guard let source = joint(names[symbol] ?? symbol, from: scope) else {
                if names[symbol] == nil, !own.contains(symbol) { tellUnlessKnown(symbol, of: index, from: scope) }
                continue
            }
            if known.insert(source).inserted { sources.append(source) }
        }
        guard let model = (moved ?? sources.first)?.model else { return }
        kinematics.models[model.value].formulas.append(
            JointFormula(
                formula: SceneIndex(index), joint: moved?.joint,
                sources: sources.filter { $0.model == model }.map(\.joint)))
    }

    /// What the parameters of a formula are set to; told where there is no such parameter, and what leads to nothing.
    private mutating func names(
        set settings: [ColladaDocument.SetParameter], of formula: Int, from scope: Int
    ) -> [String: String] {
        var names: [String: String] = [:]
        let own = Set(kinematics.formulas[formula].parameters)
        for setting in settings {
            if !own.contains(setting.reference.text) {
                references.tell(.kinematicsBindUnresolved, setting.reference, expected: "parameter of the formula")
            }
            switch setting.value {
            case .connected(let other), .sidref(let other):
                names[setting.reference.text] = other.text
                if sids.resolve(other.text, from: scope) == nil {
                    references.tell(.kinematicsBindUnresolved, other, expected: "joint or parameter")
                }
            case .real, .integer, .bool, .empty: break
            }
        }
        return names
    }

    private mutating func tellUnlessKnown(_ name: String, of formula: Int, from scope: Int) {
        guard sids.resolve(name, from: scope) == nil else { return }
        let reference = ColladaDocument.Reference(text: name, position: document.formulas[formula].position)
        references.tell(.kinematicsBindUnresolved, reference, expected: "joint or parameter")
    }
}

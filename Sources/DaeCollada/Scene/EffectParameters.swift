// The parameters of effects, which materials set, and what is wrong with them.

import DaeDiagnostics
import DaeScene
import DaeXML

/// The parameters of an effect as one material sets them.
struct ParameterScope {
    /// The effect's own.
    let parameters: SmallDictionary<String, ColladaDocument.Parameter>
    let settings: SmallDictionary<String, ColladaDocument.Parameter>

    /// A parameter may read another one; a way longer than this is taken for a circle.
    private static let stepLimit = 64

    /// Whether a `#` before a sid is passed over.
    let repairs: ColladaOptions.Repairs

    /// As it stands under its sid.
    subscript(_ sid: String) -> ColladaDocument.Parameter? {
        if let found = settings[sid] ?? parameters[sid] { return found }
        return hashless(sid).flatMap { settings[$0] ?? parameters[$0] }
    }

    /// Whether a name was found only without the `#` that it is written with.
    func isFoundWithoutHash(_ sid: String) -> Bool {
        settings[sid] == nil && parameters[sid] == nil && self[sid] != nil
    }

    private func hashless(_ sid: String) -> String? {
        guard repairs == .made, sid.hasPrefix("#") else { return nil }
        return String(sid.dropFirst())
    }

    /// The value that a sid leads to, never an alias.
    func parameter(_ sid: String) -> Result<ColladaDocument.Parameter, EffectFault> {
        var sid = sid
        for _ in 0..<Self.stepLimit {
            switch self[sid] {
            case nil:
                return .failure(
                    .init(.effectParamUnresolved, sid, "the effect has no parameter with the sid \(sid.quoted())"))
            case .alias(let next)?: sid = next
            case .some(let parameter): return .success(parameter)
            }
        }
        return .failure(
            .init(.effectParamUnresolved, sid, "the parameter \(sid.quoted()) reads itself, through other parameters"))
    }

    /// The same, `nil` where it leads nowhere.
    func value(_ sid: String) -> ColladaDocument.Parameter? {
        switch parameter(sid) {
        case .success(let parameter): parameter
        case .failure: nil
        }
    }
}

/// What is wrong within an effect, reported once for all materials that have it.
struct EffectFault: Error {
    let code: FindingCode
    /// What was written.
    let value: String
    let message: String
    /// The property whose value it is about; `nil` for another part of the effect.
    var slot: ColladaDocument.Technique.Slot?

    init(_ code: FindingCode, _ value: String, _ message: String) {
        self.code = code
        self.value = value
        self.message = message
    }

    /// Of a name that leads nowhere.
    ///
    /// - Parameter expected: What it should be.
    init(_ code: FindingCode, _ name: String, expected: String) {
        self.init(code, name, "\(name.quoted()) leads to nothing; expected \(expected)")
    }

    /// `nil` where the name has none, or leads nowhere without it.
    init?(passingOverTheHashOf sid: String, in scope: ParameterScope) {
        guard scope.isFoundWithoutHash(sid) else { return nil }
        self.init(.quirkIDHash, sid, "a sid within the effect is written \(sid.quoted()); its # was passed over")
    }
}

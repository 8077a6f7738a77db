import Diagnostics
import SceneModel

/// The parameters of an effect as one material sets them.
struct ParameterScope {
    /// The effect's own.
    let parameters: SmallDictionary<String, ColladaDocument.Parameter>
    let settings: SmallDictionary<String, ColladaDocument.Parameter>

    /// A parameter may read another one; a way longer than this is taken for a circle.
    private static let stepLimit = 64

    /// As it stands under its sid.
    subscript(_ sid: String) -> ColladaDocument.Parameter? { settings[sid] ?? parameters[sid] }

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

public import Diagnostics

/// Why an action was not taken; nothing has changed then.
public struct AssetPipelineError: CodedError, Hashable {
    /// `ASSET_UNKNOWN` or `ASSET_ACTION_REFUSED`.
    public let code: FindingCode
    public let message: String
    public var place: Place { Place() }

    static func unknown(_ id: AssetID) -> AssetPipelineError {
        .init(code: .assetUnknown, message: "There is no asset '\(id)'.")
    }

    static func refused(_ kind: AssetAction.Kind, in state: AssetState) -> AssetPipelineError {
        let allowed = state.availableActions.map(\.rawValue).joined(separator: ", ")
        return .init(
            code: .assetActionRefused,
            message:
                "'\(kind.rawValue)' is not possible while the asset is \(state.title.lowercased()); possible: \(allowed)."
        )
    }

    static let closed = AssetPipelineError(code: .assetActionRefused, message: "The pipeline has ended.")

    static func taken(_ id: AssetID) -> AssetPipelineError {
        .init(code: .assetActionRefused, message: "There is an asset '\(id)' already.")
    }
}

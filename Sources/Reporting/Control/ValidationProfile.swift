import Diagnostics

/// What a scene is meant for: a set of rules by name.
public enum ValidationProfile: String, Sendable, CaseIterable {
    /// The severities of the catalogue.
    case standard = "default"
    /// Every warning is an error.
    case strict
    /// A model of Gazebo, which takes meshes, materials and skeletons of a document and nothing else.
    case gazebo
    /// To be converted to glTF.
    case gltf
    /// To be converted to USDZ and shown by RealityKit.
    case realitykit

    public var rules: FindingRules {
        var rules = FindingRules()
        switch self {
        case .standard: break
        case .strict:
            for code in FindingCode.allCases where code.severity == .warning { rules.overrides[code] = .error }
        case .gazebo:
            rules.ignored = [.cameraInvalid, .lightInvalid, .kinematicsExtension, .formulaUnsupported]
            rules.overrides = [
                .assetUnitMissing: .warning, .assetUpAxisMissing: .warning, .imageURIAbsolute: .error,
                .resourceOutside: .warning, .geometryUnsupportedKind: .error,
            ]
        case .gltf:
            rules.ignored = Self.mechanics
            rules.overrides = [
                .nodeTransformNonAffine: .error, .geometryUnsupportedKind: .error, .controllerChainUnsupported: .error,
                .skinTooManyInfluences: .warning, .animationUnknownInterpolation: .error,
                .animationTargetShared: .warning,
                .imageExtensionMismatch: .error,
            ]
        case .realitykit:
            rules.ignored = Self.mechanics
            rules.overrides = [
                .nodeTransformNonAffine: .error, .geometryUnsupportedKind: .error, .controllerChainUnsupported: .error,
                .skinTooManyInfluences: .warning, .assetUnitMissing: .warning, .imageExtensionMismatch: .error,
            ]
        }
        return rules
    }

    /// What neither glTF nor USDZ takes over.
    private static let mechanics = Set(
        FindingCode.allCases.filter { code in
            ["PHYSICS_", "KINEMATICS_", "FORMULA_"].contains { code.rawValue.hasPrefix($0) }
        })
}

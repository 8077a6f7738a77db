// What the assets of all documents say: units, axes and copyright.

import DaeDiagnostics
import DaeScene
import DaeXML

/// Takes the assets of all documents into the scene and its ``AssetSystems``.
enum AssetBuilder {
    /// Finds the copyright, and the system of each document; parts that have another are reported.
    static func addAssets(to context: inout SceneContext) {
        let assets = context.shared.linked.assets
        context.scene.copyright = copyright(in: assets)
        for (number, one) in assets.enumerated() {
            let own = system(of: one, number, in: &context)
            let scopes = AssetScopes(one.nested, in: own)
            reportNested(scopes, &context.log)
            context.systems.add(scopes)
            let main = context.systems.main
            if number == 0 {
                context.scene.metersPerUnit = own.metersPerUnit
                context.scene.upAxis = own.upAxis
            } else if own != main {
                context.log.reportSystem(
                    own, ofThe: nil, expected: main, at: place(of: number),
                    "the document is in \(own), the scene in \(main); what it lends is converted", severity: .info)
            }
        }
    }

    /// A part that the document's own asset does not give is that of the scene that is shown, where its asset gives it:
    /// nothing else says what the libraries are written in.
    private static func system(
        of assets: LinkedDocument.DocumentAssets, _ number: Int, in context: inout SceneContext
    ) -> CoordinateSystem {
        let place = place(of: number)
        let shown = number == 0 ? shownSystem(assets, in: &context) : (unit: nil, upAxis: nil)
        var system = CoordinateSystem()
        if let axis = assets.own?.upAxis {
            system.upAxis = axis
        } else if let axis = shown.upAxis {
            system.upAxis = axis
            context.log.add(
                .assetUpAxisMissing, at: place, "no up axis is given for the document; that of its visual scene counts")
        } else if assets.own != nil {
            context.log.add(.assetUpAxisMissing, at: place, "no up axis is given; Y_UP is assumed")
        }
        if let unit = assets.own?.unit {
            system.metersPerUnit = unit.meter ?? 1
        } else if let unit = shown.unit {
            system.metersPerUnit = unit.meter ?? 1
            context.log.add(
                .assetUnitMissing, at: place, "no unit is given for the document; that of its visual scene counts")
        } else if assets.own != nil {
            context.log.add(.assetUnitMissing, at: place, "no unit is given; the metre is assumed")
        }
        if assets.own == nil { context.log.add(.assetMissing, at: place, "the document has no <asset>") }
        return system
    }

    private static func shownSystem(
        _ assets: LinkedDocument.DocumentAssets, in context: inout SceneContext
    ) -> (unit: ColladaDocument.Asset.Unit?, upAxis: Scene.UpAxis?) {
        guard !assets.nested.isEmpty, let position = context.shownPosition else { return (nil, nil) }
        let scopes = AssetScopes(assets.nested, in: CoordinateSystem())
        return (scopes.nearest(at: position, \.unit), scopes.nearest(at: position, \.upAxis))
    }

    private static func place(of document: Int) -> Place {
        var place = Place()
        place.document = document
        return place
    }

    /// What an asset of its own means for the numbers within an element.
    private enum Effect {
        case converted
        /// They say nothing of what they measure.
        case kept
        /// They are colours, shares, times.
        case none

        init(onContentOf element: String) {
            switch element {
            case "formula", "library_formulas", "force_field", "library_force_fields": self = .kept
            case "animation_clip", "effect", "image", "library_animation_clips", "library_effects", "library_images",
                "library_materials", "library_physics_materials", "material", "physics_material":
                self = .none
            default: self = .converted  // element names: all others have lengths or hold what has
            }
        }

        var words: String {
            switch self {
            case .converted: "it is converted"
            case .kept: "its numbers stay as they are"
            case .none: "no number in it depends on that"
            }
        }

        var severity: Severity? {
            switch self {
            case .converted, .kept: nil
            case .none: .info
            }
        }
    }

    private static func reportNested(_ scopes: AssetScopes, _ log: inout FindingLog) {
        for scope in scopes.scopes {
            let (owner, around) = (scope.nested.owner, scopes.system(around: scope))
            guard scope.system != around else { continue }
            let effect = Effect(onContentOf: owner)
            log.reportSystem(
                scope.system, ofThe: owner, expected: around, at: Place(scope.nested.position),
                "the content of this <\(owner)> is in \(scope.system), what is around it in \(around); \(effect.words)",
                severity: effect.severity)
        }
    }

    /// Those of all contributors, in the order of the documents.
    private static func copyright(in assets: [LinkedDocument.DocumentAssets]) -> String? {
        var claims: [String] = []
        for one in assets {
            for asset in [one.own].compactMap(\.self) + one.nested.map(\.asset) {
                for claim in asset.contributors.compactMap(\.copyright) where !claim.isEmpty {
                    // A library may have an asset for each of its elements; a claim is a line.
                    if claims.count < 100, !claims.contains(claim) { claims.append(claim) }
                }
            }
        }
        return claims.isEmpty ? nil : claims.joined(separator: "; ")
    }
}

import DaeDiagnostics
import DaeNumbers
import DaeScene
import DaeSchema
import DaeXML

/// Reads what the root element says: the version and the namespace.
enum RootReader {
    private static let namespaces = [
        "1.4": "http://www.collada.org/2005/11/COLLADASchema", "1.5": "http://www.collada.org/2008/03/COLLADASchema",
    ]
    private static let versions: Set<String> = ["1.4.0", "1.4.1", "1.5.0"]

    static func readRoot(
        _ view: ElementView, namespace: String?, _ context: inout ReadingContext, into document: inout ColladaDocument
    ) {
        let version = view.attribute(.version)
        document.version = version
        document.namespace = namespace
        context.noteVersion(version)
        if version.map({ !Self.versions.contains($0) }) ?? true {
            context.log.add(
                .docVersionUnsupported, at: view.place,
                "the version is \(version?.quoted(40) ?? "missing"); expected 1.4.0, 1.4.1 or 1.5.0",
                arguments: [.init("version", version ?? "")])
        }
        guard let namespace, Self.namespaces.values.contains(namespace) else {
            context.log.add(
                .docNamespaceUnexpected, at: view.place,
                "the namespace is \(namespace?.quoted() ?? "missing"); expected that of COLLADA 1.4 or 1.5",
                arguments: [.init("namespace", namespace ?? "")])
            return
        }
        if let version, let expected = Self.namespaces[String(version.prefix(3))], expected != namespace {
            context.log.add(
                .docVersionNamespaceMismatch, at: view.place,
                "the version is \(version.prefix(40)), but the namespace is \(namespace)")
        }
    }
}

/// Reads the assets of the document and of its parts.
struct AssetReader {
    /// Elements that are open and have an asset of their own, the root aside; with its place in the document's list.
    private var open: [(record: Int, asset: Int)] = []
    /// The record of the innermost of them; -1 without.
    private(set) var innermostOwner = -1

    /// Reads the document's own asset, or that of a part of it. Gives no place: what refers to an asset is within it.
    mutating func readAsset(
        _ view: ElementView, _ context: inout ReadingContext, into document: inout ColladaDocument
    ) -> Int? {
        guard let owner = view.parent else { return nil }
        if owner.name == .collada {
            guard document.asset == nil else { return nil }
            let asset = Self.asset(view, &context)
            context.noteContributors(asset.contributors)
            document.asset = asset
            return nil
        }
        let asset = Self.asset(view, &context)
        // The first one of each element counts.
        guard innermostOwner != owner.index else { return nil }
        open.append((owner.index, document.nestedAssets.count))
        innermostOwner = owner.index
        document.nestedAssets.append(
            .init(
                asset: asset, owner: owner.name.rawValue, position: view.position, start: owner.position.byte,
                end: .max))
        return nil
    }

    /// Ends what the innermost asset counts for.
    mutating func endOwner(at end: XMLPosition, in document: inout ColladaDocument) {
        let ended = open.popLast()
        innermostOwner = open.last?.record ?? -1
        if let ended { document.nestedAssets[ended.asset].end = end.byte }
    }

    private static func asset(_ view: ElementView, _ context: inout ReadingContext) -> ColladaDocument.Asset {
        var asset = ColladaDocument.Asset()
        asset.contributors = view.all(.contributor).map { contributor($0) }
        if asset.contributors.isEmpty, view.first(.authoringTool) != nil {
            // 1.3 has no contributors: what they say stands in the asset itself.
            let own = contributor(view)
            if own.authoringTool != nil { asset.contributors = [own] }
        }
        asset.created = text(.created, in: view)
        asset.modified = text(.modified, in: view)
        asset.title = text(.title, in: view)
        asset.keywords = text(.keywords, in: view)
        asset.revision = text(.revision, in: view)
        asset.subject = text(.subject, in: view)
        asset.location = view.first(.coverage, .geographicLocation).flatMap { location($0, &context) }
        asset.unit = view.first(.unit).map { unitOfLength($0, &context) }
        asset.upAxis = view.first(.upAxis).map { upAxis($0, &context) }
        return asset
    }

    private static func contributor(_ view: ElementView) -> ColladaDocument.Contributor {
        .init(
            author: text(.author, in: view), authorEmail: text(.authorEmail, in: view),
            authorWebsite: text(.authorWebsite, in: view), authoringTool: text(.authoringTool, in: view),
            comments: text(.comments, in: view), copyright: text(.copyright, in: view),
            sourceData: text(.sourceData, in: view))
    }

    private static func location(
        _ view: ElementView, _ context: inout ReadingContext
    ) -> ColladaDocument.GeographicLocation? {
        guard let longitude = context.number(in: view.first(.longitude)),
            let latitude = context.number(in: view.first(.latitude))
        else { return nil }
        let altitude = view.first(.altitude)
        var mode = ColladaDocument.GeographicLocation.AltitudeMode.relativeToGround
        if let text = altitude?.attribute(.mode) {
            if let known = ColladaDocument.GeographicLocation.AltitudeMode(rawValue: text) {
                mode = known
            } else {
                context.log.add(
                    .schemaInvalidEnum, at: altitude?.place ?? view.place,
                    "the altitude's mode is \(text.quoted(40)); expected absolute or relativeToGround; read as relativeToGround"
                )
            }
        }
        return .init(
            longitude: longitude, latitude: latitude, altitude: context.number(in: altitude) ?? 0, altitudeMode: mode)
    }

    private static func upAxis(_ view: ElementView, _ context: inout ReadingContext) -> Scene.UpAxis {
        if let axis = Scene.UpAxis(rawValue: view.text) { return axis }
        if context.repairs, let axis = Scene.UpAxis(rawValue: view.text.uppercased()) {
            context.log.add(
                .quirkUpAxisCase, at: view.place,
                "the up axis is \(view.text.quoted()); it was read as \(axis.rawValue)",
                arguments: [.init("found", view.text), .init("expected", axis.rawValue)], fix: "write \(axis.rawValue)")
            return axis
        }
        context.log.add(
            .schemaInvalidEnum, at: view.place,
            "the up axis is \(view.text.quoted(40)); expected X_UP, Y_UP or Z_UP; read as Y_UP")
        return .y
    }

    private static func text(_ name: ElementName, in view: ElementView) -> String? {
        guard let text = view.first(name)?.text, !text.isEmpty else { return nil }
        return text
    }

    private static func unitOfLength(_ view: ElementView, _ context: inout ReadingContext)
        -> ColladaDocument.Asset.Unit
    {
        let name = view.attribute(.name)
        guard let reading = view.real(.meter) else { return .init(name: name, meter: 1) }
        if let issue = reading.issue { context.add(issue, at: view.place) }
        guard let meter = context.repaired(reading.value, reading.issue), meter > 0, meter.isFinite else {
            context.log.add(
                .assetUnitInvalid, at: view.place,
                "the unit is \((view.attribute(.meter) ?? "").quoted(40)) metres; expected a number above 0; read as 1",
                arguments: [.init("meter", view.attribute(.meter) ?? "")])
            return .init(name: name, meter: nil)
        }
        if let name, let meant = Self.lengths[name.lowercased()], abs(meter - meant) > Self.lengthTolerance * meant {
            context.log.add(
                .assetUnitNameMismatch, at: view.place,
                "the unit is called \(name.quoted(40)), which is \(meant) metres, but has \(meter)",
                arguments: [.init("name", name), .init("meter", "\(meter)"), .init("expected", "\(meant)")],
                fix: "write meter=\"\(meant)\", or the name of a unit of \(meter) metres")
        }
        return .init(name: name, meter: meter)
    }

    /// Feet and inches have been a little longer or shorter.
    private static let lengthTolerance = 0.01

    /// Metres in the units that exporters name, in lower case.
    private static let lengths: [String: Double] = {
        var lengths: [String: Double] = [:]
        for (names, meters) in [
            ("meter metre meters metres m", 1.0), ("centimeter centimetre centimeters centimetres cm", 0.01),
            ("millimeter millimetre millimeters millimetres mm", 0.001), ("decimeter decimetre decimeters dm", 0.1),
            ("kilometer kilometre kilometers kilometres km", 1000.0), ("inch inches in", 0.0254),
            ("foot feet ft", 0.3048), ("yard yards yd", 0.9144), ("mile miles", 1609.344),
        ] {
            for name in names.split(separator: " ") { lengths[String(name)] = meters }
        }
        return lengths
    }()
}

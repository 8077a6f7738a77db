import DaeDiagnostics
import DaeNumbers
import DaeScene
import DaeSchema

extension DocumentReader {
    /// Reads the document's own asset, or that of a part of it.
    mutating func decodeAsset(_ view: ElementView) -> Int? {
        guard let owner = view.parent else { return nil }
        if owner.name != .collada {
            keepAsset(asset(view), of: owner, at: view.position)
        } else if document.asset == nil {
            document.asset = asset(view)
            isSketchUps =
                document.asset?.contributors.contains { $0.authoringTool?.hasBytes(of: "SketchUp") == true } ?? false
        }
        return nil
    }

    private mutating func asset(_ view: ElementView) -> ColladaDocument.Asset {
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
        asset.location = view.first(.coverage, .geographicLocation).flatMap { location($0) }
        asset.unit = view.first(.unit).map { decodeUnitOfLength($0) }
        asset.upAxis = view.first(.upAxis).map { upAxis($0) }
        return asset
    }

    private mutating func contributor(_ view: ElementView) -> ColladaDocument.Contributor {
        .init(
            author: text(.author, in: view), authorEmail: text(.authorEmail, in: view),
            authorWebsite: text(.authorWebsite, in: view), authoringTool: text(.authoringTool, in: view),
            comments: text(.comments, in: view), copyright: text(.copyright, in: view),
            sourceData: text(.sourceData, in: view))
    }

    private mutating func location(_ view: ElementView) -> ColladaDocument.GeographicLocation? {
        guard let longitude = number(in: view.first(.longitude)), let latitude = number(in: view.first(.latitude))
        else { return nil }
        let altitude = view.first(.altitude)
        var mode = ColladaDocument.GeographicLocation.AltitudeMode.relativeToGround
        if let text = altitude?.attribute(.mode) {
            if let known = ColladaDocument.GeographicLocation.AltitudeMode(rawValue: text) {
                mode = known
            } else {
                log.add(
                    .schemaInvalidEnum, at: altitude?.place ?? view.place,
                    "the altitude's mode is \(text.quoted(40)); expected absolute or relativeToGround; read as relativeToGround"
                )
            }
        }
        return .init(
            longitude: longitude, latitude: latitude, altitude: number(in: altitude) ?? 0, altitudeMode: mode)
    }

    private mutating func upAxis(_ view: ElementView) -> Scene.UpAxis {
        if let axis = Scene.UpAxis(rawValue: view.text) { return axis }
        if repairs, let axis = Scene.UpAxis(rawValue: view.text.uppercased()) {
            log.add(
                .quirkUpAxisCase, at: view.place,
                "the up axis is \(view.text.quoted()); it was read as \(axis.rawValue)",
                arguments: [.init("found", view.text), .init("expected", axis.rawValue)], fix: "write \(axis.rawValue)")
            return axis
        }
        log.add(
            .schemaInvalidEnum, at: view.place,
            "the up axis is \(view.text.quoted(40)); expected X_UP, Y_UP or Z_UP; read as Y_UP")
        return .y
    }

    private mutating func text(_ name: ElementName, in view: ElementView) -> String? {
        guard let text = view.first(name)?.text, !text.isEmpty else { return nil }
        return text
    }

    private mutating func decodeUnitOfLength(_ view: ElementView) -> ColladaDocument.Asset.Unit {
        let name = view.attribute(.name)
        guard let reading = view.real(.meter) else { return .init(name: name, meter: 1) }
        if let issue = reading.issue { add(issue, at: view.place) }
        guard let meter = mended(reading.value, reading.issue), meter > 0, meter.isFinite else {
            log.add(
                .assetUnitInvalid, at: view.place,
                "the unit is \((view.attribute(.meter) ?? "").quoted(40)) metres; expected a number above 0; read as 1",
                arguments: [.init("meter", view.attribute(.meter) ?? "")])
            return .init(name: name, meter: nil)
        }
        if let name, let meant = Self.lengths[name.lowercased()], abs(meter - meant) > Self.lengthTolerance * meant {
            log.add(
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

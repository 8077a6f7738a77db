import Diagnostics
import NumberDecoding
import SceneModel

extension DocumentReader {
    /// Reads the document's own asset; those of its parts are read by a later version.
    func decodeAsset(_ view: ElementView) -> Int {
        guard view.parent?.name == .collada, document.asset == nil else { return -1 }
        var asset = ColladaDocument.Asset()
        asset.contributors = view.all(.contributor).map { contributor in
            .init(
                author: text(.author, in: contributor), authoringTool: text(.authoringTool, in: contributor),
                comments: text(.comments, in: contributor), copyright: text(.copyright, in: contributor),
                sourceData: text(.sourceData, in: contributor))
        }
        if let tool = text(.authoringTool, in: view), asset.contributors.isEmpty {
            // 1.3 has no contributors: what they say stands in the asset itself.
            asset.contributors = [
                .init(
                    author: text(.author, in: view), authoringTool: tool, comments: text(.comments, in: view),
                    copyright: text(.copyright, in: view), sourceData: text(.sourceData, in: view))
            ]
        }
        asset.created = text(.created, in: view)
        asset.modified = text(.modified, in: view)
        asset.title = text(.title, in: view)
        asset.keywords = text(.keywords, in: view)
        asset.revision = text(.revision, in: view)
        asset.subject = text(.subject, in: view)
        asset.unit = view.first(.unit).map(decodeUnitOfLength)
        if let axis = view.first(.upAxis) {
            asset.upAxis = Scene.UpAxis(rawValue: axis.text.uppercased())
            if asset.upAxis == nil {
                log.add(
                    .schemaInvalidEnum, at: axis.place,
                    "the up axis is \(axis.text.prefix(40).debugDescription); expected X_UP, Y_UP or Z_UP; read as Y_UP"
                )
                asset.upAxis = .y
            }
        }
        document.asset = asset
        return -1
    }

    private func text(_ name: ElementName, in view: ElementView) -> String? {
        guard let text = view.first(name)?.text, !text.isEmpty else { return nil }
        return text
    }

    private func decodeUnitOfLength(_ view: ElementView) -> ColladaDocument.Asset.Unit {
        let name = view.attribute(.name)
        guard let reading = view.real(.meter) else { return .init(name: name, meter: 1) }
        if let issue = reading.issue { add(issue, at: view.place) }
        guard let meter = reading.value, meter > 0, meter.isFinite else {
            log.add(
                .assetUnitInvalid, at: view.place,
                "the unit is \((view.attribute(.meter) ?? "").prefix(40).debugDescription) metres; expected a number above 0; read as 1",
                arguments: [.init("meter", view.attribute(.meter) ?? "")])
            return .init(name: name, meter: nil)
        }
        return .init(name: name, meter: meter)
    }
}

import Daedalus

extension ReportedSource {
    init(_ result: SourceRun.Result, _ judgement: ValidationControl.Judgement) {
        switch result {
        case .read(let product):
            let inspection = product.inspection
            self.init(
                name: inspection.source.input, container: Container(inspection.source),
                scene: inspection.bundle.scenePath, log: inspection.findings, rules: judgement.rules,
                baseline: judgement.baseline?.source(inspection.source.input), failOn: judgement.failOn,
                statistics: Statistics(inspection))
        case .failed(let failure):
            self.init(
                name: failure.source.input, container: Container(failure.source), scene: failure.place.entry,
                log: failure.findings, rules: judgement.rules,
                baseline: judgement.baseline?.source(failure.source.input), failOn: judgement.failOn,
                failure: Finding(failure.code, at: failure.place, failure.message, severity: .error))
        }
    }
}

extension ReportedSource.Container {
    /// Where the kind is not known, since the source could not be opened, its name says it.
    init(_ source: Inspection.Source) {
        switch source.kind {
        case .dae: self = .document
        case .zip, .zae, .kmz: self = .archive
        case .folder: self = .folder
        case nil:
            let name = source.input.lowercased()
            let isArchive = name.contains("!/") || [".zip", ".zae", ".kmz"].contains { name.hasSuffix($0) }
            self = isArchive ? .archive : .document
        }
    }
}

extension ReportedSource.Statistics {
    init(_ inspection: Inspection) {
        self.init()
        version = inspection.document.version
        generator = inspection.document.authoringTools.first
        resources = inspection.images.map {
            Resource(
                reference: $0.reference, mediaType: $0.format?.mediaType, bytes: $0.bytes, width: $0.width,
                height: $0.height)
        }
        animations = inspection.counts.animations
        materials = inspection.counts.materials
        morphs = inspection.counts.morphs
        skins = inspection.counts.skins
        drawCalls = inspection.counts.submeshes
        vertices = inspection.counts.positions
        triangles = inspection.counts.triangles
    }
}

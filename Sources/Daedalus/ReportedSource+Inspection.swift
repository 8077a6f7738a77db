// Reports know no inspection and inspections no report; who has both brings them together.

import DaeArchive
package import DaeDiagnostics
import DaeImages
package import DaePipeline

extension ReportedSource.Container {
    /// Where the kind is not known, since the source could not be opened, its name says it.
    package init(_ source: Inspection.Source) {
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
    /// What an inspection counted.
    package init(_ inspection: Inspection) {
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

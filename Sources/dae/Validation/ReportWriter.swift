import Daedalus
import Synchronization

/// Makes the report of several sources, one after the other; a class because it remembers them until the end.
final class ReportWriter: Sendable {
    private struct Memory {
        /// Of forms that are one report.
        var sources: [ReportedSource] = []
        var summary = ValidationSummary()
        var count = 0
    }

    private let format: ReportFormat
    private let style: Style
    private let width: Int
    private let live: AssetOperations.LiveOptions
    private let memory = Mutex(Memory())

    /// - Parameter width: Of the terminal in columns; `nil` where there is none.
    init(format: ReportFormat, style: Style, width: Int?, live: AssetOperations.LiveOptions) {
        self.format = format
        self.style = style
        self.width = max(40, min(width ?? 100, 160)) - 8
        self.live = live
    }

    /// What is written as soon as a source has been read.
    func rendering(of source: ReportedSource, _ result: SourceRun.Result) async -> SourceRun.Rendering {
        memory.withLock { memory in
            memory.summary.add(source)
            memory.count += 1
            if format.isOneReport { memory.sources.append(source) }
        }
        switch format {
        case .sarif, .md, .junit: return .nothing
        case .gltfReport: return .json(GltfReport(source, tool: .daedalus).json)
        case .json: return .json(Self.json(result, source))
        case .text:
            let digest: String? =
                switch result {
                case .read(let product): product.inspection.source.sha256
                case .failed: nil
                }
            let excerpts = await SourceExcerpts.read(
                of: source, digest: digest, plainEntry: Self.plainEntry(of: result), options: live, width: width,
                cut: style.marks("…"))
            return .text(ValidationText(source: source, excerpts: excerpts, style: style).text)
        }
    }

    /// The document, where its places are told by the bytes that it has: it was not decoded.
    private static func plainEntry(of result: SourceRun.Result) -> String? {
        switch result {
        case .failed: return nil
        case .read(let product):
            let inspection = product.inspection
            guard inspection.document.encoding == "UTF-8", inspection.findings.counts[.xmlEncodingMismatch] == nil
            else { return nil }
            return inspection.bundle.scenePath
        }
    }

    /// What is written behind the last source.
    func end() -> SourceRun.Rendering {
        let memory = memory.withLock { $0 }
        switch format {
        case .json, .gltfReport: return .nothing
        case .text: return memory.count > 1 ? .text(memory.summary.text(style)) : .nothing
        case .sarif:
            return .bytes(SarifReport(memory.sources, tool: .daedalus).json.text(.indented) + [UInt8(ascii: "\n")])
        case .md: return .text(MarkdownReport(memory.sources).text)
        case .junit: return .text(JUnitReport(memory.sources, tool: .daedalus).text)
        }
    }

    private static func json(_ result: SourceRun.Result, _ source: ReportedSource) -> JSONValue {
        let whole =
            switch result {
            case .read(let product): product.inspection.validationJSON
            case .failed(let failure): failure.json
            }
        guard case .object(var members) = whole else { return whole }
        members["findings"] = source.findingsJSON
        return .object(members)
    }
}

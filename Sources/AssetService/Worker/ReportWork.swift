import Daedalus

/// Holds a file against all rules, and writes what `dae validate` says of it in each form.
struct ReportWork: Sendable {
    let order: WorkerOrder

    func run() async throws {
        guard let folder = order.output, let file = order.assetFile else { return }
        var options = try order.options()
        options.validates = true
        options.collada.schema = .lenient
        let live = AssetOperations.live(options).stages
        var stages = live
        stages.download = { _, _ in file }
        let pipeline = AssetPipeline(operations: .init(stages: stages))
        try await pipeline.take(AssetState.Download(source: order.source), as: order.asset)
        await pipeline.coordinator(of: order.asset).start()
        if let inspection = await pipeline.product(of: order.asset)?.inspection {
            let source = ReportedSource(
                name: inspection.source.input, container: .init(inspection.source), scene: inspection.bundle.scenePath,
                log: inspection.findings, statistics: .init(inspection))
            try write(source, inspection.validationJSON, to: folder)
        } else if let failure = await pipeline.state(of: order.asset)?.failure {
            let found = await pipeline.findings(of: order.asset)
            let whole = InspectionFailure(
                source: Inspection.Source(input: order.source), stage: .init(failure.stage), code: failure.code,
                message: failure.message, place: failure.place, findings: found)
            let source = ReportedSource(
                name: order.source, container: .init(whole.source), scene: failure.place.entry, log: found,
                failure: whole.finding)
            try write(source, whole.json, to: folder)
        }
    }

    private func write(_ source: ReportedSource, _ whole: JSONValue, to folder: String) throws {
        var json = whole
        if case .object(var members) = whole {
            members["findings"] = source.findingsJSON
            json = .object(members)
        }
        let newline = [UInt8(ascii: "\n")]
        let sarif = SarifReport([source], tool: .daedalus).json
        try write(Array(MarkdownReport([source]).text.utf8), to: folder + "/report.md")
        try write(sarif.text(.indented) + newline, to: folder + "/report.sarif")
        try write(json.text(.indented) + newline, to: folder + "/report.json")
    }

    private func write(_ text: [UInt8], to path: String) throws(StorageError) {
        try WholeFile.write(text, to: path, by: order.serviceFolder.place(of: path))
    }
}

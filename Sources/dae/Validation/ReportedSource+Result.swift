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
                failure: failure.finding)
        }
    }
}

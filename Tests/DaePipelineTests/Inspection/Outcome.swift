import DaeArchive
import DaeDiagnostics
import DaePipeline

/// What comes of one source, in the steps the pipeline takes.
enum Outcome {
    case read(Inspection)
    case failed(InspectionFailure)

    /// - Parameter input: What the report calls it.
    init(path: String, input: String, chunkSize: Int = 64 * 1024) {
        func failure(
            _ error: any CodedError, in stage: InspectionFailure.Stage, _ findings: FindingLog = FindingLog()
        ) -> Outcome {
            .failed(
                InspectionFailure(
                    source: .init(input: input), stage: stage, code: error.code, message: error.message,
                    place: error.place, findings: findings))
        }
        let bundle: Bundle
        do throws(CodedFailure) { bundle = try Bundle.open(path: path) } catch {
            self = failure(error, in: .unzip)
            return
        }
        let choice: SceneChoice
        var findings = FindingLog()
        for finding in bundle.findings { findings.add(finding) }
        do throws(CodedFailure) {
            let chosen = try BundleManifest.scene(of: bundle)
            choice = chosen.choice
            findings.merge(chosen.findings)
        } catch {
            self = failure(error, in: .unzip, findings)
            return
        }
        do throws(CodedFailure) {
            var inspector = Inspector()
            inspector.chunkSize = chunkSize
            self = .read(try inspector.inspect(bundle, choice, input: input, findings: findings).inspection)
        } catch { self = failure(error, in: .parse, error.findings) }
    }

    var json: JSONValue {
        switch self {
        case .read(let inspection): inspection.json
        case .failed(let failure): failure.json
        }
    }

    /// As a golden file holds it.
    var text: [UInt8] { json.text(.indented) + [UInt8(ascii: "\n")] }
}

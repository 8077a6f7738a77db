import DaeArchive
import DaeCollada
import DaeDiagnostics
import DaePipeline
import TestSupport
import Testing

/// Two fixtures of one code: one that has the fault, and one that nearly does and must not.
struct RulePair: CustomTestStringConvertible {
    let code: FindingCode
    /// Below `Fixtures/rules`: `CODE.dae`, or another ending of a bundle.
    let fault: String
    /// `CODE.near.dae`; `nil` where it is missing.
    let near: String?

    /// What ``fault`` comes to, beside it.
    var golden: String { "rules/\(code.rawValue).report.json" }

    var testDescription: String { code.rawValue }

    static let endings = ["dae", "zip", "zae", "kmz"]

    static let all: [RulePair] = {
        let names = Repository.fixtureNames(in: "rules")
        func file(_ stem: String) -> String? {
            endings.lazy.map { "\(stem).\($0)" }.first { names.contains($0) }
        }
        return FindingCode.allCases.compactMap { code in
            file(code.rawValue).map { RulePair(code: code, fault: $0, near: file("\(code.rawValue).near")) }
        }
    }()

    /// As `dae validate` reads a source.
    static func outcome(of name: String) -> Outcome {
        Outcome(path: "\(Repository.fixtures)/rules/\(name)", input: name)
    }
}

/// What comes of one source.
enum Outcome {
    case read(Inspection)
    case failed(InspectionFailure)

    init(path: String, input: String, repairs: ColladaOptions.Repairs = .made) {
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
        var findings = FindingLog()
        for finding in bundle.findings { findings.add(finding) }
        let choice: SceneChoice
        do throws(CodedFailure) {
            let chosen = try BundleManifest.scene(
                of: bundle, repairs: repairs == .made ? .made : .refused)
            choice = chosen.choice
            findings.merge(chosen.findings)
        } catch {
            self = failure(error, in: .unzip, findings)
            return
        }
        do throws(CodedFailure) {
            var inspector = Inspector()
            inspector.validates = true
            inspector.options.schema = .lenient
            inspector.options.repairs = repairs
            self = .read(try inspector.inspect(bundle, choice, input: input, findings: findings).inspection)
        } catch { self = failure(error, in: .parse, error.findings) }
    }

    /// Every code that it names, the failure's too.
    var codes: Set<FindingCode> {
        switch self {
        case .read(let inspection): Set(inspection.findings.counts.keys)
        case .failed(let failure): Set(failure.findings.counts.keys).union([failure.code])
        }
    }

    /// The report's findings, and the failure if there is one.
    var json: JSONValue {
        switch self {
        case .read(let inspection): inspection.json
        case .failed(let failure): failure.json
        }
    }
}

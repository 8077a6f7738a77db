import DaeDiagnostics
import DaePipeline
import TestSupport
import Testing

/// What is said of the good and bad samples that another validator is tested with, where the corpus is.
@Suite(.enabled(if: Repository.corpus != nil, "skipped: the corpus is not there ($DAE_CORPUS, ../shared/corpus)"))
struct SampleVerdictTests {
    enum Verdict: Sendable {
        /// Read, and what must be told of it.
        case read([FindingCode])
        /// Read, and told more often of these codes than the sample beside it that has no such fault.
        case more([FindingCode], than: String)
        case unreadable(FindingCode)
    }

    struct Sample: Sendable, CustomTestStringConvertible {
        let path: String
        let verdict: Verdict

        init(_ path: String, _ verdict: Verdict) {
            self.path = path
            self.verdict = verdict
        }

        var testDescription: String { path }
    }

    private static let validator = "DAEValidator/tests/data/daevalidator/"
    private static let xml = "DAEValidator/tests/data/xml/"
    private static let dae = "DAEValidator/tests/data/dae/"
    private static let classes = "xsd2cppsax/tests/"
    /// Their good sample has no model either: a skin whose indices do not fit, an infinite zfar, and so on.
    private static let good: [FindingCode] = [
        .skinVCount, .numberNonFinite, .accessorNoSource, .imageDataInvalid, .animationSamplerInputMissing,
        .refWrongType, .effectNoCommonProfile, .sceneMissing,
    ]

    static let samples: [Sample] = [
        Sample(validator + "file.dae", .read(good)), Sample(xml + "file.dae", .read(good)),
        Sample(validator + "links_error.dae", .more([.refExternalUnresolved], than: validator + "file.dae")),
        Sample(validator + "links_error_ref.dae", .more([.accessorNoSource], than: validator + "file.dae")),
        Sample(validator + "links_error_ref2.dae", .unreadable(.xmlNotWellFormed)),
        Sample(validator + "schema_error.dae", .more([.skinJointIndexOutOfBounds], than: validator + "file.dae")),
        Sample(xml + "schema_collada_error.dae", .more([.schemaMissingAttribute], than: xml + "file.dae")),
        // Of another vocabulary, which is kept and not judged.
        Sample(xml + "schema_other_error.dae", .more([], than: xml + "file.dae")),
        Sample(xml + "compressed_file.dae", .read(good + [.archiveExtensionMismatch])),
        Sample(xml + "empty.dae", .unreadable(.archiveInvalid)),
        Sample(xml + "xml_node_set.dae", .read([.sceneMissing])),
        Sample(validator + "collada_1.5.dae", .read([.docVersionUnsupported])),
        Sample(validator + "collada_no_version.dae", .read([.docNamespaceUnexpected])),
        Sample(validator + "check_missing_schema.dae", .read([.assetUnitMissing, .assetUpAxisMissing])),
        Sample(validator + "check_schema.dae", .read([])),
        Sample(dae + "physx.dae", .more([.schemaInvalidNumber], than: validator + "check_schema.dae")),
        Sample(dae + "MoveConstructorTest.dae", .read([.sceneMissing])),
        Sample(dae + "MoveConstructorTestRef.dae", .read([.assetUnitMissing])),
        Sample(classes + "collada_base_attr_01.dae", .read([])),
        // `xml:base` by a prefix of its own, bound to the namespace that only `xml` may be bound to.
        Sample(classes + "collada_base_attr_02.dae", .read([.xmlRecovered])),
        Sample(classes + "collada_mathml_01.dae", .read([.formulaUnsupported])),
        Sample(classes + "collada_mathml_02.dae", .read([.formulaUnsupported])),
        Sample(classes + "collada_ns_in_extra_01.dae", .read([])),
        // One id of a node and of a source within an animation; and the same sid twice among a node's transforms.
        Sample(validator + "unique_ids_error.dae", .read(good)),
        Sample(validator + "unique_sids_error.dae", .read(good)),
    ]

    private func outcome(_ path: String) throws -> Outcome {
        let corpus = try #require(Repository.corpus)
        return Outcome(path: "\(corpus)/opencollada/\(path)", input: path)
    }

    private func counts(_ path: String) throws -> [FindingCode: Int] {
        switch try outcome(path) {
        case .read(let inspection): return inspection.findings.counts
        case .failed(let failure):
            Issue.record("\(path) cannot be read: \(failure.message)")
            return [:]
        }
    }

    @Test(arguments: samples)
    func aSampleHasItsVerdict(_ sample: Sample) throws {
        switch sample.verdict {
        case .read(let codes):
            let counts = try counts(sample.path)
            for code in codes { #expect(counts[code] != nil, "\(code.rawValue) is not told") }
        case .more(let codes, let other):
            let (bad, good) = (try counts(sample.path), try counts(other))
            #expect(bad.count >= good.count && !bad.isEmpty)
            for code in codes { #expect(bad[code, default: 0] > good[code, default: 0], "\(code.rawValue)") }
        case .unreadable(let code):
            switch try outcome(sample.path) {
            case .read: Issue.record("it was read")
            case .failed(let failure): #expect(failure.code == code)
            }
        }
    }

    @Test func eachSampleIsInTheTable() throws {
        let corpus = try #require(Repository.corpus)
        let files = try Repository.files(below: corpus + "/opencollada").filter { $0.hasSuffix(".dae") }
        #expect(files == Self.samples.map(\.path).sorted())
    }
}

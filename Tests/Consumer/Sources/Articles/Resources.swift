import Daedalus
import Foundation

// MARK: - Textures

func imagesOfAModel() async throws {
    let model = try await Dae.load(.path("model.zip"))
    for (place, row) in model.inspection.images.enumerated() {
        print(row.reference ?? "no file", row.status, row.path ?? "-", row.rule?.title ?? "-")
        guard let picture = model.picture(of: Dae.SceneIndex(place)) else { continue }
        print(picture.mediaType, picture.bytes.count, "bytes", picture.convertedFrom ?? "as it was")
    }

    try require(model.picture(of: Dae.SceneIndex(0))?.mediaType == "image/png", "a picture of the walker")
}

func texturesOfAMaterial(_ model: Dae.Model) {
    for material in model.scene.materials {
        for texture in material.textures {
            let image = model.scene.images[texture.image.value]
            print(material.name ?? "a material", image.name ?? "an image", texture.texcoord)
        }
    }
}

// MARK: - Validation

func validation() async throws {
    let found = try await Dae.validate(.path("model.zip"))
    for finding in found.findings where finding.severity >= .warning {
        print(finding.place, finding.severity, finding.message, finding.code.rawValue)
        print(finding.code.explanation.fix)
    }
    let isValid = found.total(.error) == 0

    try require(isValid, "a valid walker")
}

func ownSeverities(_ found: FindingLog) throws {
    let text = Array(#"{ "override": { "IMAGE_FOUND_BY_FALLBACK": "error" }, "ignore": ["PERF_*"] }"#.utf8)
    let rules = try LintConfiguration(parsing: text, file: ".daelint.json").rules
    let counted = found.findings.filter { !rules.ignored.contains($0.code) }
    let failing = counted.filter { (rules.overrides[$0.code] ?? $0.severity) == .error }

    try require(failing.map(\.code) == [.imageFoundByFallback], "an overridden severity")
}

func ownRules() async throws {
    var options = Dae.Options.person
    options.rules = [
        { scene, inspection in
            inspection.images.compactMap { image in
                guard let width = image.width, width > 4096 else { return nil }
                return Finding(
                    rule: "acme/texture-size", severity: .error, at: Place(entry: image.path),
                    "the texture is \(width) pixels wide; expected 4096 at most")
            }
        }
    ]
    let found = try await Dae.validate(.path("model.zip"), options: options)
    try require(found.counts[.customRule] == nil, "a walker with small textures")
}

func stricter() async throws {
    var options = Dae.Options.person
    options.collada.schema = .strict
    options.collada.repairs = .refused
    let found = try await Dae.validate(.path("model.zip"), options: options)
    print(found.total(.error), "errors by the letter")
}

// MARK: - Conversion

func conversion() async throws {
    let report = try await Dae.convert(.path("model.zip"), to: "walker.glb")
    for entry in report.entries {
        print(entry.count, entry.subject.title(of: entry.change), entry.change.isLoss ? "lost" : "kept")
    }

    try require(report.bytes > 0, "a walker.glb")
}

func protectedConversion() async throws {
    var options = ExportOptions()
    options.protected = [.geometry, .node, .animation]
    do {
        try await Dae.convert(.path("model.zip"), to: "exact.glb", options: options)
    } catch let error as SceneExportError {
        print(error.message)
    }

    try require(!FileManager.default.fileExists(atPath: "exact.glb"), "nothing where something would be lost")
}

func bytesOfAModel(_ model: Dae.Model) throws {
    let (glb, report) = try model.bytes(as: .glb)
    try model.write(to: "again.gltf", as: .gltf)

    try require(glb.starts(with: Array("glTF".utf8)) && report.bytes == glb.count, "a GLB in memory")
    try require(FileManager.default.fileExists(atPath: "again.bin"), "a .bin beside its .gltf")
}

func formatOfOnesOwn(_ model: Dae.Model) throws {
    let corners = CustomFormat(ending: "xyz") { contents, take in
        for instance in contents.drawing.instances {
            for part in contents.drawing.meshes[instance.mesh].parts {
                for start in stride(from: 0, to: part.positions.count, by: 3) {
                    let corner = part.positions[start..<start + 3].map { "\($0)" }
                    try take(Array((corner.joined(separator: " ") + "\n").utf8))
                }
            }
        }
    }
    try model.write(to: "corners.xyz", as: .custom(corners))

    try require(FileManager.default.fileExists(atPath: "corners.xyz"), "a file of one's own format")
}

func piecesOfAModel(_ model: Dae.Model) throws {
    var written = 0
    try model.write(as: .glb) { piece in written += piece.count }

    try require(written > 0, "a GLB in pieces")
}

// MARK: - Downloads

func downloads(_ address: String, token: String) async throws {
    var options = Dae.Options()
    options.cache = DownloadCache(folder: "downloads")
    options.web.reading = .whole
    options.web.mode = .revalidate
    options.web.retries = RetryPolicy()
    options.downloadLimits.bytes = 1 << 30
    let source = AssetSource.url(address, headers: [try RequestHeader("Authorization", "Bearer \(token)")])
    let model = try await Dae.load(source, options: options)
    print(model.inspection.source.sha256 ?? "-")
}

// MARK: - Security

func limits() async throws {
    var options = Dae.Options.service
    options.web.policy = .closed(try NetworkRules(hosts: [".example.org"], requiresTLS: true))
    options.archiveLimits = ArchiveLimits(entryCount: 100, inflatedBytes: .fixed(64 << 20))
    options.collada.limits.depth = 256
    options.collada.nodeLimit = 100_000
    do {
        _ = try await Dae.load(.url("https://models.example.com/model.zip"), options: options)
    } catch let failure as CodedFailure {
        print(failure.code.rawValue, failure.message)
        try require(failure.code == .downloadBlockedAddress, "a refused host")
    }
}

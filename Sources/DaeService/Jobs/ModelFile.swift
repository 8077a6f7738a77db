import DaeCore
import Daedalus
import Hummingbird
import Logging

/// What of a model can be had. Raw values are the names that results have in their folder.
enum ModelForm: String, Codable, Sendable, CaseIterable {
    case glb = "model.glb"
    case quantized = "model-quantized.glb"
    case meshopt = "model-meshopt.glb"
    case usdz = "model.usdz"
    case stl = "model.stl"
    /// With its materials and textures.
    case obj = "model.obj.zip"

    /// How a model is asked for.
    init(_ model: ServedModel, compact: Substring?) throws(Problem) {
        switch (model, compact) {
        case (.glb, nil): self = .glb
        case (.glb, "1"), (.glb, "quantized"): self = .quantized
        case (.glb, "meshopt"): self = .meshopt
        case (.glb, let text?): throw .parameter("compact", text, expected: "1, quantized or meshopt")
        case (.usdz, nil): self = .usdz
        case (.stl, nil): self = .stl
        case (.obj, nil): self = .obj
        case (.usdz, let text?), (.stl, let text?), (.obj, let text?):
            throw .parameter("compact", text, expected: "nothing: \(ServedModel.glb.name) alone can be compact")
        }
    }

    /// Where that stands which the conversion changed.
    ///
    /// - Parameter model: The name of the model.
    static func changes(of model: String) -> String { model + ".changes.json" }

    /// The model as its address names it.
    var served: ServedModel {
        switch self {
        case .glb, .quantized, .meshopt: .glb
        case .usdz: .usdz
        case .stl: .stl
        case .obj: .obj
        }
    }

    var format: ExportFormat {
        switch self {
        case .glb, .quantized, .meshopt: .glb
        case .usdz: .usdz
        case .stl: .stl
        case .obj: .obj
        }
    }

    var compaction: ExportOptions.Compaction {
        switch self {
        case .glb, .usdz, .stl, .obj: .none
        case .quantized: .quantized
        case .meshopt: .meshopt
        }
    }
}

extension ServedModel {
    /// The last part of its address.
    var name: String { "model." + rawValue }

    static var names: [String] { allCases.map(\.name) }
}

/// An asset's converted model: made when it is first asked for, or ahead of that.
struct ModelFile: Sendable {
    let form: ModelForm
    let tools: ServiceTools
    let derivations: Derivations

    func opened(_ asset: AssetRecord, _ content: StoredContent) async throws -> any ObjectReading {
        try await opened(form.rawValue, asset, content)
    }

    /// What its conversion changed. Where that is not there, or not any more, the model is made again with it.
    func changes(_ asset: AssetRecord, _ content: StoredContent) async throws -> any ObjectReading {
        try await opened(ModelForm.changes(of: form.rawValue), asset, content)
    }

    private func opened(
        _ name: String, _ asset: AssetRecord, _ content: StoredContent
    ) async throws -> any ObjectReading {
        let place = ResultPlace(content: content.key)
        return try await tools.opened(place.key(name)) {
            let key = "\(form.rawValue):\(content.key.text)"
            try await derivations.make(key, .model(form), of: asset, into: place).check()
        }
    }

    /// Begins to make it. How that ends is told to who asks for the model.
    func prepare(_ asset: AssetRecord) async throws {
        guard let content = asset.content,
            try await tools.objects.open(.result(form.rawValue, of: content.key)) == nil
        else { return }
        guard await derivations.hasRoom else {
            throw Problem(.tooManyRequests, nil, "Too many wait for a worker already.", retryAfter: 5)
        }
        Task {
            do { _ = try await opened(asset, content) } catch {
                tools.log.warning("model: \(error)", metadata: ["asset": "\(asset.id)"])
            }
        }
    }
}

import Diagnostics
import NumberDecoding
import SceneModel

extension DocumentReader {
    func decodeEffect(_ view: ElementView) -> ColladaDocument.Effect {
        var effect = ColladaDocument.Effect(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position, common: nil,
            otherProfiles: [], parameters: parameters(.newparam, of: view, by: .sid), extras: view.extras)
        for child in view.children {
            switch child.name {
            case .profileCommon: readProfile(child, into: &effect)
            case .profileGlsl, .profileCg, .profileGles, .profileGles2, .profileBridge:
                effect.otherProfiles.append(child.name.rawValue)
            default: break  // element names: parameters were read, images stand by themselves
            }
        }
        return effect
    }

    private func readProfile(_ view: ElementView, into effect: inout ColladaDocument.Effect) {
        effect.parameters.merge(parameters(.newparam, of: view, by: .sid)) { _, inner in inner }
        guard let technique = view.first(.technique) else { return }
        effect.parameters.merge(parameters(.newparam, of: technique, by: .sid)) { _, inner in inner }
        guard effect.common == nil else { return }
        for child in technique.children {
            guard let shading = Shading(rawValue: child.name.rawValue) else { continue }
            effect.common = decodeTechnique(child, shading, extras: technique.extras + view.extras)
            return
        }
    }

    private func decodeTechnique(
        _ view: ElementView, _ shading: Shading, extras: [ColladaDocument.Extra]
    ) -> ColladaDocument.Technique {
        var technique = ColladaDocument.Technique(
            position: view.position, shading: shading, slots: [:], opaque: view.first(.transparent)?.attribute(.opaque),
            extras: view.extras + extras)
        for child in view.children {
            guard let slot = ColladaDocument.Technique.Slot(rawValue: child.name.rawValue) else { continue }
            technique.slots[slot] = decodeValue(child) ?? technique.slots[slot]
        }
        return technique
    }

    private func decodeValue(_ view: ElementView) -> ColladaDocument.Technique.Value? {
        for child in view.children {
            switch child.name {
            case .color: return color(in: child).map { .color($0) }
            case .float: return number(in: child).map { .number($0) }
            case .texture:
                return .texture(
                    .init(
                        sampler: child.attribute(.texture) ?? "", texcoord: child.attribute(.texcoord) ?? "",
                        extras: child.extras))
            case .param: return .parameter(child.attribute(.ref) ?? child.text)
            default: continue  // element names: every other one is no value
            }
        }
        return nil
    }

    /// Three or four numbers; a missing alpha is 1.
    private func color(in view: ElementView) -> SIMD4<Double>? {
        let words = view.words.count
        guard let values = numbers(in: view, count: words == 3 ? 3 : 4) else { return nil }
        return SIMD4(values[0], values[1], values[2], values.count > 3 ? values[3] : 1)
    }

    // MARK: - Parameters

    private func parameters(
        _ name: ElementName, of view: ElementView, by key: AttributeName
    ) -> [String: ColladaDocument.Parameter] {
        var parameters: [String: ColladaDocument.Parameter] = [:]
        for parameter in view.all(name) {
            guard let sid = parameter.attribute(key) else { continue }
            parameters[sid] = decodeParameter(parameter)
        }
        return parameters
    }

    private func decodeParameter(_ view: ElementView) -> ColladaDocument.Parameter {
        for child in view.children {
            switch child.name {
            case .surface:
                let images = child.all(.initFrom).map(\.text)
                return .surface(.init(type: child.attribute(.type), images: images))
            case .sampler2D, .samplerCube, .sampler3D, .sampler1D, .samplerRect: return .sampler(decodeSampler2D(child))
            case .float, .float2, .float3, .float4:
                let counts: [ElementName: Int] = [.float: 1, .float2: 2, .float3: 3, .float4: 4]
                return numbers(in: child, count: counts[child.name] ?? 1).map { .numbers($0) } ?? .other
            default: continue  // element names: every other one is no value of the common profile
            }
        }
        return .other
    }

    private func decodeSampler2D(_ view: ElementView) -> ColladaDocument.Parameter.Sampler2D {
        func text(_ name: ElementName) -> String? {
            guard let text = view.first(name)?.text, !text.isEmpty else { return nil }
            return text
        }
        return .init(
            surface: text(.source), image: view.first(.instanceImage).map { requiredReference($0, .url) },
            wrapS: text(.wrapS), wrapT: text(.wrapT), minFilter: text(.minfilter), magFilter: text(.magfilter),
            mipFilter: text(.mipfilter), extras: view.extras)
    }

    // MARK: - Materials and images

    func decodeMaterial(_ view: ElementView) -> ColladaDocument.Material {
        let instance = view.first(.instanceEffect)
        return ColladaDocument.Material(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position,
            effect: instance.map { requiredReference($0, .url) },
            settings: instance.map { parameters(.setparam, of: $0, by: .ref) } ?? [:], extras: view.extras)
    }

    func decodeImage(_ view: ElementView) -> ColladaDocument.Image {
        var content = ImageContent.none
        // 1.5 puts what 1.4 has directly within into <init_from>, or into <create_2d> and its like.
        let holders = [view] + view.children.filter { [.create2d, .create3d, .createCube].contains($0.name) }
        for holder in holders {
            if case .none = content { content = imageContent(of: holder) }
        }
        if case .none = content {
            log.add(.imageEmptyURI, at: view.place, "<image> names no file")
        }
        return ColladaDocument.Image(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position, content: content)
    }

    private func imageContent(of view: ElementView) -> ImageContent {
        if let data = view.first(.data) { return .embedded(format: data.attribute(.type)) }
        guard let initial = view.first(.initFrom) else {
            // 1.3 has the file in an attribute.
            return view.attribute(.source).map { .reference($0) } ?? .none
        }
        if let hex = initial.first(.hex) { return .embedded(format: hex.attribute(.type)) }
        let text = initial.first(.ref)?.text ?? initial.text
        return text.isEmpty ? .none : .reference(text)
    }
}

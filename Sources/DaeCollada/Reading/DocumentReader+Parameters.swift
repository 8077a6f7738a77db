// The parameters of effects, and the samplers among them.

import DaeDiagnostics
import DaeScene
import DaeSchema

extension DocumentReader {
    /// Those of an element, by sid or by what they refer to.
    mutating func parameters(
        _ name: ElementName, of view: ElementView, by key: AttributeName
    ) -> SmallDictionary<String, ColladaDocument.Parameter> {
        var parameters: SmallDictionary<String, ColladaDocument.Parameter> = [:]
        let elements = view.all(name)
        if !elements.isEmpty { parameters.reserveCapacity(elements.underestimatedCount) }
        for parameter in elements {
            guard let sid = common(key, of: parameter) else {
                reportMissing(key, of: parameter)
                continue
            }
            parameters[sid] = decodeParameter(parameter)
        }
        return parameters
    }

    private mutating func decodeParameter(_ view: ElementView) -> ColladaDocument.Parameter {
        var other: String?
        for child in view.children {
            switch child.name {
            case .float: return floats(in: child, 1)
            case .float2: return floats(in: child, 2)
            case .float3: return floats(in: child, 3)
            case .float4: return floats(in: child, 4)
            case .annotate, .semantic, .extra: continue
            case .surface: return .surface(decodeSurface(child))
            case .sampler2D, .samplerCube, .sampler3D, .sampler1D, .samplerRect, .samplerDEPTH:
                return .sampler(decodeSampler(child))
            case .param: return .alias(child.attribute(.ref) ?? child.text)
            default:  // element names: every other one is no value of the common profile
                if other == nil { other = child.name.rawValue }
            }
        }
        return .other(kind: other)
    }

    private mutating func floats(in view: ElementView, _ count: Int) -> ColladaDocument.Parameter {
        numbers(in: view, count: count).map { .numbers($0.fitted()) } ?? .other(kind: view.name.rawValue)
    }

    /// The images of all its pictures, whichever way they are laid out.
    private mutating func decodeSurface(_ view: ElementView) -> ColladaDocument.Parameter.Surface {
        var images: [String] = []
        for child in view.children {
            switch child.name {
            case .initFrom: images.append(child.text)
            case .initCube, .initVolume, .initPlanar: images += child.children.compactMap { $0.attribute(.ref) }
            default: continue  // element names: every other one is about format and size
            }
        }
        return .init(type: view.attribute(.type), images: images)
    }

    private mutating func decodeSampler(_ view: ElementView) -> ColladaDocument.Parameter.Sampler {
        var sampler = ColladaDocument.Parameter.Sampler(surface: nil, image: nil, state: .init(), extras: view.extras)
        for child in view.children {
            switch child.name {
            case .source:
                let text = child.trimmedBytes
                sampler.surface = text.isEmpty ? nil : texts.text(text)
            case .instanceImage: sampler.image = requiredReference(child, .url)
            case .wrapS: sampler.state.wrapS = word(in: child)
            case .wrapT: sampler.state.wrapT = word(in: child)
            case .wrapP: sampler.state.wrapP = word(in: child)
            case .minfilter: sampler.state.minFilter = word(in: child)
            case .magfilter: sampler.state.magFilter = word(in: child)
            case .mipfilter: sampler.state.mipFilter = word(in: child)
            case .borderColor: sampler.state.borderColor = color(in: child)
            case .maxAnisotropy: sampler.state.maxAnisotropy = level(in: child).map { max(1, $0) }
            case .mipBias, .mipmapBias: sampler.state.mipBias = number(in: child)
            case .mipMinLevel: sampler.state.mipMinLevel = level(in: child)
            case .mipMaxLevel, .mipmapMaxlevel: sampler.state.mipMaxLevel = level(in: child)
            default: continue  // element names: every other one is no state
            }
        }
        return sampler
    }

    /// One of the words of an enum; reported when it is none.
    private mutating func word<Word>(in view: ElementView) -> Word?
    where Word: RawRepresentable<String> & CaseIterable {
        let text = view.text
        guard !text.isEmpty else { return nil }
        if let word = Word(rawValue: text) { return word }
        let allowed = Word.allCases.map(\.rawValue).joined(separator: ", ")
        log.add(
            .schemaInvalidEnum, at: view.place,
            "<\(view.name.rawValue)> is \(text.quoted(40)); expected one of \(allowed)",
            arguments: [.init("value", String(text.prefix(200)))])
        return nil
    }

    /// A small number from 0.
    private mutating func level(in view: ElementView) -> Int? {
        number(in: view).map { Int(min(255, max(0, $0))) }
    }
}

import DaeDiagnostics
import DaeScene
import DaeSchema
import DaeXML

/// Reads effects with their parameters, and materials.
enum EffectReader {
    typealias Document = ColladaDocument

    static func effect(_ view: ElementView, _ context: inout ReadingContext) -> Document.Effect {
        let id = context.common(.id, of: view)
        var effect = Document.Effect(
            id: id, name: context.name(of: view, id: id), position: view.position, common: nil, profiles: [],
            parameters: parameters(.newparam, of: view, by: .sid, &context), extras: view.extras)
        for child in view.children {
            if child.name == .profileCommon {
                readProfile(child, into: &effect, &context)
            } else if child.isProfile, let kind = Document.Profile.Kind(rawValue: child.name.rawValue) {
                effect.profiles.append(profile(child, kind))
            }
        }
        if effect.common == nil, let other = effect.profiles.first {
            context.log.add(
                .effectNoCommonProfile, at: view.place, "the effect has \(other.kind.rawValue), but no profile_COMMON")
        }
        return effect
    }

    private static func readProfile(
        _ view: ElementView, into effect: inout Document.Effect, _ context: inout ReadingContext
    ) {
        guard effect.common?.shading == nil else { return }
        add(parameters(.newparam, of: view, by: .sid, &context), to: &effect.parameters)
        guard let technique = view.first(.technique) else { return }
        add(parameters(.newparam, of: technique, by: .sid, &context), to: &effect.parameters)
        let extras = technique.extras + view.extras
        for child in technique.children {
            guard let shading = child.name.shading else { continue }
            effect.common = Self.technique(child, shading, extras: extras, &context)
            return
        }
        context.log.add(
            .effectTechniqueUnknown, at: technique.place,
            "the technique has none of constant, lambert, phong and blinn; it says nothing of the surface")
        effect.common = .init(
            position: technique.position, shading: nil, slots: [:], sids: [:], opaque: nil, extras: extras)
    }

    /// The inner ones count.
    private static func add(
        _ inner: SmallDictionary<String, Document.Parameter>,
        to outer: inout SmallDictionary<String, Document.Parameter>
    ) {
        if outer.isEmpty { outer = inner } else { for (sid, parameter) in inner { outer[sid] = parameter } }
    }

    private static func technique(
        _ view: ElementView, _ shading: Shading, extras: [Document.Extra], _ context: inout ReadingContext
    ) -> Document.Technique {
        var technique = Document.Technique(
            position: view.position, shading: shading, slots: [:], sids: [:],
            opaque: view.first(.transparent)?.attribute(.opaque), extras: shaderExtras(of: view) + extras)
        var places: [(slot: Document.Technique.Slot, position: XMLPosition)] = []
        let count = view.children.underestimatedCount
        places.reserveCapacity(count)
        technique.slots.reserveCapacity(count)
        technique.sids.reserveCapacity(count)
        for child in view.children {
            guard let slot = child.name.slot else { continue }
            for value in child.children {
                if let sid = value.attribute(.sid), technique.sids[sid] == nil { technique.sids[sid] = slot }
            }
            guard let (value, position) = value(child, &context) else {
                technique.unread.insert(slot)
                continue
            }
            technique.slots[slot] = value
            places.append((slot, position))
        }
        technique.places.reserveCapacity(technique.slots.count)
        for slot in Document.Technique.Slot.allCases {
            if let last = places.last(where: { $0.slot == slot }) { technique.places.append(last.position) }
        }
        technique.sids = context.lists.shared(technique.sids)
        return technique
    }

    /// Extras and, since some exporters put them there, elements of theirs beside the properties.
    private static func shaderExtras(of view: ElementView) -> [Document.Extra] {
        let raws = view.raws
        guard !raws.isEmpty else { return [] }
        let loose = raws.filter { $0.localName != "extra" && $0.localName != "technique" }
        let own: [Document.Extra] = loose.isEmpty ? [] : [.init(profile: nil, type: nil, elements: loose)]
        return own + Document.Extra.list(raws)
    }

    private static func value(_ view: ElementView, _ context: inout ReadingContext) -> (
        Document.Technique.Value, XMLPosition
    )? {
        guard let child = valueElement(of: view, &context) else { return nil }
        switch child.name {
        case .color: return context.color(in: child).map { (.color($0), child.position) }
        case .float: return context.number(in: child).map { (.number($0), child.position) }
        case .texture:
            let texture = Document.Technique.Texture(
                sampler: context.common(.texture, of: child) ?? "", texcoord: child.attribute(.texcoord) ?? "",
                extras: child.extras)
            return (.texture(texture), child.position)
        case .param: return (.parameter(child.attribute(.ref) ?? child.text), child.position)
        default: return nil  // element names: every other one is no value
        }
    }

    /// The element that says a property's value: the first one, but a texture behind a colour, which is what the authors
    /// of documents with both saw.
    private static func valueElement(of view: ElementView, _ context: inout ReadingContext) -> ElementView? {
        var first: ElementView?
        var second: ElementView?
        var texture: ElementView?
        for child in view.children {
            switch child.name {
            case .color, .float, .texture, .param:
                if child.name == .texture { texture = texture ?? child }
                if first == nil { first = child } else { second = second ?? child }
            default: continue  // element names: every other one is no value
            }
        }
        guard let first, let second else { return first }
        let taken = context.repairs ? texture ?? first : first
        context.log.add(
            .effectSeveralValues, at: second.place,
            "<\(view.name.rawValue)> has a <\(first.name.rawValue)> and a <\(second.name.rawValue)>; the \(taken.name.rawValue) is taken",
            arguments: [.init("property", view.name.rawValue), .init("taken", taken.name.rawValue)])
        return taken
    }

    static func material(_ view: ElementView, _ context: inout ReadingContext) -> Document.Material {
        let instance = view.first(.instanceEffect)
        let id = context.common(.id, of: view)
        return Document.Material(
            id: id, name: context.name(of: view, id: id), position: view.position,
            effect: instance.map { context.requiredReference($0, .url) },
            settings: instance.map { parameters(.setparam, of: $0, by: .ref, &context) } ?? [:], extras: view.extras)
    }

    // MARK: - Parameters

    /// Those of an element, by sid or by what they refer to.
    private static func parameters(
        _ name: ElementName, of view: ElementView, by key: AttributeName, _ context: inout ReadingContext
    ) -> SmallDictionary<String, Document.Parameter> {
        var parameters: SmallDictionary<String, Document.Parameter> = [:]
        let elements = view.all(name)
        if !elements.isEmpty { parameters.reserveCapacity(elements.underestimatedCount) }
        for parameter in elements {
            guard let sid = context.common(key, of: parameter) else {
                context.reportMissing(key, of: parameter)
                continue
            }
            parameters[sid] = Self.parameter(parameter, &context)
        }
        return parameters
    }

    private static func parameter(_ view: ElementView, _ context: inout ReadingContext) -> Document.Parameter {
        var other: String?
        for child in view.children {
            switch child.name {
            case .float: return floats(in: child, 1, &context)
            case .float2: return floats(in: child, 2, &context)
            case .float3: return floats(in: child, 3, &context)
            case .float4: return floats(in: child, 4, &context)
            case .annotate, .semantic, .extra: continue
            case .surface: return .surface(surface(child))
            case .sampler2D, .samplerCube, .sampler3D, .sampler1D, .samplerRect, .samplerDEPTH:
                return .sampler(sampler(child, &context))
            case .param: return .alias(child.attribute(.ref) ?? child.text)
            default:  // element names: every other one is no value of the common profile
                if other == nil { other = child.name.rawValue }
            }
        }
        return .other(kind: other)
    }

    private static func floats(in view: ElementView, _ count: Int, _ context: inout ReadingContext)
        -> Document.Parameter
    {
        context.numbers(in: view, count: count).map { .numbers($0.fitted()) } ?? .other(kind: view.name.rawValue)
    }

    /// The images of all its pictures, whichever way they are laid out.
    private static func surface(_ view: ElementView) -> Document.Parameter.Surface {
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

    private static func sampler(_ view: ElementView, _ context: inout ReadingContext) -> Document.Parameter.Sampler {
        var sampler = Document.Parameter.Sampler(surface: nil, image: nil, state: .init(), extras: view.extras)
        for child in view.children {
            switch child.name {
            case .source:
                let text = child.trimmedBytes
                sampler.surface = text.isEmpty ? nil : context.common(text)
            case .instanceImage: sampler.image = context.requiredReference(child, .url)
            case .wrapS: sampler.state.wrapS = word(in: child, &context)
            case .wrapT: sampler.state.wrapT = word(in: child, &context)
            case .wrapP: sampler.state.wrapP = word(in: child, &context)
            case .minfilter: sampler.state.minFilter = word(in: child, &context)
            case .magfilter: sampler.state.magFilter = word(in: child, &context)
            case .mipfilter: sampler.state.mipFilter = word(in: child, &context)
            case .borderColor: sampler.state.borderColor = context.color(in: child)
            case .maxAnisotropy: sampler.state.maxAnisotropy = level(in: child, &context).map { max(1, $0) }
            case .mipBias, .mipmapBias: sampler.state.mipBias = context.number(in: child)
            case .mipMinLevel: sampler.state.mipMinLevel = level(in: child, &context)
            case .mipMaxLevel, .mipmapMaxlevel: sampler.state.mipMaxLevel = level(in: child, &context)
            default: continue  // element names: every other one is no state
            }
        }
        return sampler
    }

    /// One of the words of an enum; reported when it is none.
    private static func word<Word>(in view: ElementView, _ context: inout ReadingContext) -> Word?
    where Word: RawRepresentable<String> & CaseIterable {
        let text = view.text
        guard !text.isEmpty else { return nil }
        if let word = Word(rawValue: text) { return word }
        let allowed = Word.allCases.map(\.rawValue).joined(separator: ", ")
        context.log.add(
            .schemaInvalidEnum, at: view.place,
            "<\(view.name.rawValue)> is \(text.quoted(40)); expected one of \(allowed)",
            arguments: [.init("value", String(text.prefix(200)))])
        return nil
    }

    /// A small number from 0.
    private static func level(in view: ElementView, _ context: inout ReadingContext) -> Int? {
        context.number(in: view).map { Int(min(255, max(0, $0))) }
    }

    // MARK: - Other profiles

    /// A profile other than the common one, from the element as it stands.
    static func profile(_ view: ElementView, _ kind: Document.Profile.Kind) -> Document.Profile {
        var profile = Document.Profile(kind: kind, id: view.attribute(.id), position: view.position)
        guard let element = view.raws.first(where: { $0.localName == kind.rawValue }) else { return profile }
        profile.platform = element["platform"]
        profile.url = element["url"]
        profile.parameters = element.newParameters
        profile.code = element.code
        profile.images = element.all("image").compactMap { $0["id"] }
        for technique in element.all("technique") {
            profile.images += technique.all("image").compactMap { $0["id"] }
            profile.techniques.append(
                .init(
                    id: technique["id"], sid: technique["sid"], parameters: technique.newParameters,
                    code: technique.code, passes: technique.all("pass").map(\.pass)))
        }
        profile.element = element
        return profile
    }
}

extension ElementName {
    /// Whether exporters add elements of their own to those that it has by the schema.
    var isShader: Bool { shading != nil }

    fileprivate var shading: Shading? {
        switch self {
        case .constant: .constant
        case .lambert: .lambert
        case .phong: .phong
        case .blinn: .blinn
        default: nil  // element names: every other one is no shading model
        }
    }

    fileprivate var slot: ColladaDocument.Technique.Slot? {
        switch self {
        case .emission: .emission
        case .ambient: .ambient
        case .diffuse: .diffuse
        case .specular: .specular
        case .shininess: .shininess
        case .reflective: .reflective
        case .reflectivity: .reflectivity
        case .transparent: .transparent
        case .transparency: .transparency
        case .indexOfRefraction: .indexOfRefraction
        default: nil  // element names: every other one is no property of a shading model
        }
    }
}

extension RawElement {
    fileprivate var newParameters: [ColladaDocument.Profile.NewParameter] {
        all("newparam").map { parameter in
            let value = parameter.children.last { !["annotate", "semantic", "modifier"].contains($0.localName) }
            return .init(
                sid: parameter["sid"], kind: value.map { String($0.localName) },
                semantic: parameter.all("semantic").first?.text)
        }
    }

    fileprivate var code: [ColladaDocument.Profile.Code] {
        children.compactMap { child in
            switch child.localName {
            case "code": .inline(sid: child["sid"], text: child.text)
            case "include": .include(sid: child["sid"], url: child["url"] ?? "")
            default: nil  // strings: every other one is no code
            }
        }
    }

    /// 1.4 has shaders in the pass, 1.5 in its program.
    fileprivate var pass: ColladaDocument.Profile.Pass {
        let shaders = all("shader") + all("program").flatMap { $0.all("shader") }
        return .init(sid: self["sid"], stages: shaders.map { $0["stage"] })
    }
}

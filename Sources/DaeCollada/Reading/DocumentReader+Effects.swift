import DaeDiagnostics
import DaeScene
import DaeSchema
import DaeXML

extension DocumentReader {
    mutating func decodeEffect(_ view: ElementView) -> ColladaDocument.Effect {
        let id = common(.id, of: view)
        var effect = ColladaDocument.Effect(
            id: id, name: name(of: view, id: id), position: view.position, common: nil, profiles: [],
            parameters: parameters(.newparam, of: view, by: .sid), extras: view.extras)
        for child in view.children {
            if child.name == .profileCommon {
                readProfile(child, into: &effect)
            } else if child.isProfile, let kind = ColladaDocument.Profile.Kind(rawValue: child.name.rawValue) {
                effect.profiles.append(decodeProfile(child, kind))
            }
        }
        if effect.common == nil, let other = effect.profiles.first {
            log.add(
                .effectNoCommonProfile, at: view.place, "the effect has \(other.kind.rawValue), but no profile_COMMON")
        }
        return effect
    }

    private mutating func readProfile(_ view: ElementView, into effect: inout ColladaDocument.Effect) {
        guard effect.common?.shading == nil else { return }
        add(parameters(.newparam, of: view, by: .sid), to: &effect.parameters)
        guard let technique = view.first(.technique) else { return }
        add(parameters(.newparam, of: technique, by: .sid), to: &effect.parameters)
        let extras = technique.extras + view.extras
        for child in technique.children {
            guard let shading = shading(of: child.name) else { continue }
            effect.common = decodeTechnique(child, shading, extras: extras)
            return
        }
        log.add(
            .effectTechniqueUnknown, at: technique.place,
            "the technique has none of constant, lambert, phong and blinn; it says nothing of the surface")
        effect.common = .init(
            position: technique.position, shading: nil, slots: [:], sids: [:], opaque: nil, extras: extras)
    }

    /// The inner ones count.
    private mutating func add(
        _ inner: SmallDictionary<String, ColladaDocument.Parameter>,
        to outer: inout SmallDictionary<String, ColladaDocument.Parameter>
    ) {
        if outer.isEmpty { outer = inner } else { for (sid, parameter) in inner { outer[sid] = parameter } }
    }

    private mutating func decodeTechnique(
        _ view: ElementView, _ shading: Shading, extras: [ColladaDocument.Extra]
    ) -> ColladaDocument.Technique {
        var technique = ColladaDocument.Technique(
            position: view.position, shading: shading, slots: [:], sids: [:],
            opaque: view.first(.transparent)?.attribute(.opaque), extras: shaderExtras(of: view) + extras)
        var places: [(slot: ColladaDocument.Technique.Slot, position: XMLPosition)] = []
        let count = view.children.underestimatedCount
        places.reserveCapacity(count)
        technique.slots.reserveCapacity(count)
        technique.sids.reserveCapacity(count)
        for child in view.children {
            guard let slot = slot(of: child.name) else { continue }
            for value in child.children {
                if let sid = value.attribute(.sid), technique.sids[sid] == nil { technique.sids[sid] = slot }
            }
            guard let (value, position) = decodeValue(child) else {
                technique.unread.insert(slot)
                continue
            }
            technique.slots[slot] = value
            places.append((slot, position))
        }
        technique.places.reserveCapacity(technique.slots.count)
        for slot in ColladaDocument.Technique.Slot.allCases {
            if let last = places.last(where: { $0.slot == slot }) { technique.places.append(last.position) }
        }
        technique.sids = lists.shared(technique.sids)
        return technique
    }

    /// Extras and, since some exporters put them there, elements of theirs beside the properties.
    private mutating func shaderExtras(of view: ElementView) -> [ColladaDocument.Extra] {
        let raws = view.raws
        guard !raws.isEmpty else { return [] }
        let loose = raws.filter { $0.localName != "extra" && $0.localName != "technique" }
        let own: [ColladaDocument.Extra] = loose.isEmpty ? [] : [.init(profile: nil, type: nil, elements: loose)]
        return own + ColladaDocument.Extra.list(raws)
    }

    private mutating func decodeValue(_ view: ElementView) -> (ColladaDocument.Technique.Value, XMLPosition)? {
        guard let child = valueElement(of: view) else { return nil }
        switch child.name {
        case .color: return color(in: child).map { (.color($0), child.position) }
        case .float: return number(in: child).map { (.number($0), child.position) }
        case .texture:
            let texture = ColladaDocument.Technique.Texture(
                sampler: common(.texture, of: child) ?? "", texcoord: child.attribute(.texcoord) ?? "",
                extras: child.extras)
            return (.texture(texture), child.position)
        case .param: return (.parameter(child.attribute(.ref) ?? child.text), child.position)
        default: return nil  // element names: every other one is no value
        }
    }

    /// The element that says a property's value: the first one, but a texture behind a colour, which is what the authors
    /// of documents with both saw.
    private mutating func valueElement(of view: ElementView) -> ElementView? {
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
        let taken = repairs ? texture ?? first : first
        log.add(
            .effectSeveralValues, at: second.place,
            "<\(view.name.rawValue)> has a <\(first.name.rawValue)> and a <\(second.name.rawValue)>; the \(taken.name.rawValue) is taken",
            arguments: [.init("property", view.name.rawValue), .init("taken", taken.name.rawValue)])
        return taken
    }

    /// Four numbers, or three: a missing alpha is 1.
    mutating func color(in view: ElementView) -> SIMD4<Double>? {
        let lacksAlpha = view.wordCount == 3 && repairs
        guard let values = numbers(in: view, count: lacksAlpha ? 3 : 4) else { return nil }
        if lacksAlpha {
            log.add(
                .quirkColorWithoutAlpha, at: view.place,
                "<\(view.name.rawValue)> has 3 numbers; expected 4; the alpha was taken for 1",
                arguments: [.init("values", "3"), .init("expected", "4")], fix: "write \(view.text.prefix(80)) 1")
        }
        return SIMD4(values[0], values[1], values[2], values.count > 3 ? values[3] : 1)
    }

    mutating func decodeMaterial(_ view: ElementView) -> ColladaDocument.Material {
        let instance = view.first(.instanceEffect)
        let id = common(.id, of: view)
        return ColladaDocument.Material(
            id: id, name: name(of: view, id: id), position: view.position,
            effect: instance.map { requiredReference($0, .url) },
            settings: instance.map { parameters(.setparam, of: $0, by: .ref) } ?? [:], extras: view.extras)
    }
}

extension DocumentReader {
    private mutating func shading(of name: ElementName) -> Shading? {
        switch name {
        case .constant: .constant
        case .lambert: .lambert
        case .phong: .phong
        case .blinn: .blinn
        default: nil  // element names: every other one is no shading model
        }
    }

    private mutating func slot(of name: ElementName) -> ColladaDocument.Technique.Slot? {
        switch name {
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

extension ElementName {
    /// Whether exporters add elements of their own to those that it has by the schema.
    var isShader: Bool {
        switch self {
        case .constant, .lambert, .phong, .blinn: true
        default: false  // element names: every other one is no shading model
        }
    }
}

// What the material elements mean: an effect with its parameters followed.

import DaeDiagnostics
import DaeScene
import DaeXML

/// What is remembered from one material to the next, so that an effect that many instance is read and reported once.
struct MaterialMemory {
    /// Of each effect whether its faults were reported; empty before the first material.
    var reportedEffects: [Bool] = []
    var extras: [Int: MaterialExtras] = [:]
    /// Extras of effects that materials have so far, each time counted.
    private var lent = 0
    /// The images that samplers of 1.5 refer to.
    var images: [ColladaDocument.Reference: Int?] = [:]
    /// The ids of the sources of meshes, once a binding has asked for them.
    var sources: IDList.Members?

    /// An effect's extras before a material's own. Where many materials with extras of their own share an effect of
    /// many, those of the effect are left out beyond a limit: they are stored again for each.
    mutating func joined(_ shared: [Material.Extra], _ own: [Material.Extra]) -> [Material.Extra] {
        guard !own.isEmpty else { return shared }
        lent += shared.count
        guard lent <= lentLimit else {
            reached.insert(.lentExtras)
            return own
        }
        return shared + own
    }

    /// Tests lower it.
    var lentLimit = 1_000_000

    /// What was left out of extras.
    enum Limit: CaseIterable {
        case longWays, textureElements, lentExtras

        var words: String {
            switch self {
            case .longWays: "names on the way to an element under <extra> have more bytes than"
            case .textureElements: "a texture has more elements under <extra> than"
            case .lentExtras: "extras of effects are repeated in materials more often than"
            }
        }
    }
    /// Each is reported once.
    var reached: Set<Limit> = []

    func number(of limit: Limit) -> Int {
        switch limit {
        case .longWays: MaterialExtras.pathLimit
        case .textureElements: TextureExtras.elementLimit
        case .lentExtras: lentLimit
        }
    }
}

extension SceneBuilder {
    /// Tells what was left out of the extras of all materials.
    mutating func reportLimitsOfExtras() {
        for limit in MaterialMemory.Limit.allCases where memory.reached.contains(limit) {
            log.reportLimit(memory.number(of: limit), limit.words)
        }
    }

    mutating func resolved(materialAt number: Int) -> Material {
        // By index, here and below: what is taken out of its list would be copied.
        let reference = document.materials[number].effect
        let found = reference.flatMap { find($0, .effect) }
        var resolved = Material(
            id: document.materials[number].id, name: document.materials[number].name,
            effectID: found.flatMap { document.effects[$0].id },
            shading: found.flatMap { document.effects[$0].common?.shading })
        if let found { fill(&resolved, from: found, withMaterialAt: number) }
        return resolved
    }

    /// Reads the properties of an effect as a material sets its parameters.
    private mutating func fill(_ resolved: inout Material, from index: Int, withMaterialAt number: Int) {
        table.home = document.effects[index].position.document
        let scope = ParameterScope(
            parameters: document.effects[index].parameters, settings: document.materials[number].settings,
            repairs: options.repairs)
        var faults: [EffectFault] = []
        let slots = document.effects[index].common?.slots ?? [:]
        resolved.properties.reserveCapacity(slots.count)
        for slot in ColladaDocument.Technique.Slot.allCases {
            guard let value = slots[slot] else { continue }
            let before = faults.count
            if let value = self.value(value, of: slot.rawValue, in: scope, &faults) {
                resolved.properties[slot] = value
            } else {
                resolved.unread.insert(slot)
            }
            for index in before..<faults.count { faults[index].slot = slot }
        }
        if let unread = document.effects[index].common?.unread, !unread.isEmpty { resolved.unread.formUnion(unread) }
        resolved.opacityMode = opacityMode(document.effects[index].common?.opaque, &faults)
        resolved.opacity = opacity(resolved.opacityMode, resolved.properties, &faults)
        let extras = extras(ofEffect: index)
        let own = MaterialExtras(document.materials[number].extras)
        if extras.isCut || own.isCut { memory.reached.insert(.longWays) }
        resolved.sides = own.sides ?? extras.sides
        resolved.extras = memory.joined(extras.unknown, own.unknown)
        if !extras.details.isEmpty || !own.details.isEmpty {
            for (detail, value) in extras.details.merging(own.details, uniquingKeysWith: { _, own in own }) {
                resolved.details[detail] = self.value(value, of: detail.rawValue, in: scope, &faults)
            }
        }
        if document.effects[index].profiles.isEmpty, !document.materials[number].settings.isEmpty {
            let material = document.materials[number]
            for sid in material.settings.keys.sorted() where scope.parameters[sid] == nil {
                var place = Place(material.position)
                place.elementID = material.id
                log.add(
                    .effectParamUnresolved, at: place,
                    "the material sets \(sid.quoted()), which its effect does not have",
                    arguments: [.init("reference", sid)])
            }
        }
        if memory.reportedEffects.isEmpty {
            memory.reportedEffects = Array(repeating: false, count: document.effects.count)
        }
        guard !memory.reportedEffects[index] else { return }
        memory.reportedEffects[index] = true
        for fault in faults { report(fault, of: document.effects[index]) }
    }

    private mutating func extras(ofEffect index: Int) -> MaterialExtras {
        // Most have none, and nothing is to be remembered of them.
        if document.effects[index].extras.isEmpty, document.effects[index].common?.extras.isEmpty != false {
            return MaterialExtras([])
        }
        if let known = memory.extras[index] { return known }
        let extras = MaterialExtras(document.effects[index].extras + (document.effects[index].common?.extras ?? []))
        memory.extras[index] = extras
        return extras
    }

    // MARK: - Values

    /// - Returns: `nil` where the file means no value, or where it leads nowhere, which is a fault.
    private mutating func value(
        _ value: ColladaDocument.Technique.Value, of name: String, in scope: ParameterScope,
        _ faults: inout [EffectFault]
    ) -> Material.Value? {
        switch value {
        case .color(let color): return .color(color)
        case .number(let number): return .number(number)
        case .texture(let texture): return self.texture(texture, in: scope, &faults).map { .texture($0) }
        case .parameter(let sid):
            if let fault = EffectFault(passingOverTheHashOf: sid, in: scope) { faults.append(fault) }
            switch scope.parameter(sid) {
            case .failure(let fault): faults.append(fault)
            case .success(.numbers(let numbers)):
                switch numbers.count {
                case 1: return .number(numbers[0])
                case 3: return .color(SIMD4(numbers[0], numbers[1], numbers[2], 1))
                case 4: return .color(SIMD4(numbers[0], numbers[1], numbers[2], numbers[3]))
                default:
                    faults.append(
                        .init(
                            .effectParamUnresolved, sid,
                            "<\(name)> reads \(sid.quoted()), which has \(numbers.count) numbers; expected 1, 3 or 4"))
                }
            case .success(.sampler), .success(.surface), .success(.alias), .success(.other):
                faults.append(
                    .init(.effectParamUnresolved, sid, "<\(name)> reads \(sid.quoted()), which is no number or colour"))
            }
            return nil
        }
    }

    /// - Parameter written: The effect's `opaque`.
    private func opacityMode(_ written: String?, _ faults: inout [EffectFault]) -> Opacity.Mode {
        var mode = Opacity.Mode.aOne
        if let written {
            if let known = Opacity.Mode(rawValue: written) {
                mode = known
            } else if options.schema == .off {
                faults.append(
                    .init(
                        .schemaInvalidEnum, written,
                        "<transparent> is opaque by \(written.quoted()); expected A_ONE, RGB_ZERO, A_ZERO or RGB_ONE; read as A_ONE"
                    ))
            }
        }
        switch mode {
        case .aZero, .rgbOne:
            // Where a document is held against its schema, it reports that.
            if options.schema == .off, let version = document.version, version.hasPrefix("1.4") {
                faults.append(
                    .init(
                        .schemaInvalidEnum, mode.rawValue,
                        "<transparent> is opaque by \(mode.rawValue), which COLLADA has since 1.5; the document is \(version.prefix(40))"
                    ))
            }
        case .aOne, .rgbZero: break
        }
        return mode
    }

    private func opacity(
        _ mode: Opacity.Mode, _ properties: SmallDictionary<Material.Property, Material.Value>,
        _ faults: inout [EffectFault]
    ) -> Opacity {
        let opacity = Opacity(
            transparent: properties[.transparent], transparency: properties[.transparency]?.number, mode: mode)
        if opacity == .constant(0) {
            faults.append(
                .init(
                    .transparencySuspect, mode.rawValue,
                    "by the letter the surface cannot be seen at all; some exporters write transparency the other way round"
                ))
        }
        return opacity
    }
}

/// What is wrong within an effect, reported once for all materials that have it.
struct EffectFault: Error {
    let code: FindingCode
    /// What was written.
    let value: String
    let message: String
    /// The property whose value it is about; `nil` for another part of the effect.
    var slot: ColladaDocument.Technique.Slot?

    init(_ code: FindingCode, _ value: String, _ message: String) {
        self.code = code
        self.value = value
        self.message = message
    }

    /// `nil` where the name has none, or leads nowhere without it.
    init?(passingOverTheHashOf sid: String, in scope: ParameterScope) {
        guard scope.isFoundWithoutHash(sid) else { return nil }
        self.init(.quirkIDHash, sid, "a sid within the effect is written \(sid.quoted()); its # was passed over")
    }
}

extension SceneBuilder {
    private mutating func report(_ fault: EffectFault, of effect: ColladaDocument.Effect) {
        let position = fault.slot.flatMap { effect.common?.position(of: $0) }
        var place = Place(position ?? effect.common?.position ?? effect.position)
        place.elementID = effect.id
        guard let slot = fault.slot?.rawValue else {
            log.add(fault.code, at: place, fault.message, arguments: [.init("reference", fault.value)])
            return
        }
        let message = fault.message.hasPrefix("<\(slot)>") ? fault.message : "<\(slot)>: \(fault.message)"
        log.add(
            fault.code, at: place, message,
            arguments: [.init("reference", fault.value), .init("property", slot)])
    }
}

// A texture names a sampler, the sampler a surface, the surface an image; 1.5 has no surface; exporters leave out a
// step or two.

extension SceneBuilder {
    /// - Returns: `nil` where no image is meant (`init_as_null` and its like), or where the way to it ends too soon,
    ///   which is a fault.
    mutating func texture(
        _ texture: ColladaDocument.Technique.Texture, in scope: ParameterScope, _ faults: inout [EffectFault]
    ) -> Material.Texture? {
        var sampler = Material.Texture.Sampler()
        let image: Result<Int?, EffectFault>
        if let fault = EffectFault(passingOverTheHashOf: texture.sampler, in: scope) { faults.append(fault) }
        switch scope.value(texture.sampler) {
        case .sampler(let found):
            sampler = found.state
            image = self.image(of: found, in: scope, &faults)
        case .surface(let surface):
            let fault = fault(.textureSamplerUnresolved, texture.sampler, expected: "the sid of a sampler")
            image = options.repairs == .made ? self.image(of: surface, &faults) : .failure(fault)
            if case .success = image {
                faults.append(
                    .init(
                        .quirkTextureDirectSurface, texture.sampler,
                        "the texture \(texture.sampler.quoted()) is the sid of a surface, which was taken; expected that of a sampler"
                    ))
            }
        case .numbers, .alias, .other, nil:
            image = direct(
                texture.sampler,
                or: fault(.textureSamplerUnresolved, texture.sampler, expected: "the sid of a sampler"))
            if case .success = image {
                faults.append(
                    .init(
                        .textureDirectImage, texture.sampler,
                        "the texture \(texture.sampler.quoted()) is the id of an image; expected the sid of a sampler"))
            }
        }
        switch image {
        case .failure(let fault):
            faults.append(fault)
            return nil
        case .success(nil): return nil
        case .success(let index?):
            var made = Material.Texture(image: SceneIndex(index), texcoord: texture.texcoord, sampler: sampler)
            // Most have none, which say nothing.
            guard !texture.extras.isEmpty else { return made }
            let extras = TextureExtras(texture.extras)
            if extras.isCut { memory.reached.insert(.textureElements) }
            extras.apply(to: &made)
            return made
        }
    }

    private mutating func image(
        of sampler: ColladaDocument.Parameter.Sampler, in scope: ParameterScope, _ faults: inout [EffectFault]
    ) -> Result<Int?, EffectFault> {
        if let reference = sampler.image { return .success(image(at: reference)) }
        let sid = sampler.surface ?? ""
        if let fault = EffectFault(passingOverTheHashOf: sid, in: scope) { faults.append(fault) }
        if case .surface(let surface)? = scope.value(sid) { return image(of: surface, &faults) }
        let image = direct(sid, or: fault(.textureSurfaceUnresolved, sid, expected: "the sid of a surface"))
        if case .success = image {
            faults.append(
                .init(
                    .quirkSamplerDirectImage, sid,
                    "a sampler's \(sid.quoted()) is the id of an image, which was taken; expected the sid of a surface")
            )
        }
        return image
    }

    private func image(
        of surface: ColladaDocument.Parameter.Surface, _ faults: inout [EffectFault]
    ) -> Result<Int?, EffectFault> {
        guard let name = surface.images.first else { return .success(nil) }
        if let index = table.lookUp(name, .image) { return .success(index) }
        let image = direct(name, or: fault(.refUnresolved, name, expected: "the id of an image"))
        if case .success = image {
            faults.append(
                .init(.quirkIDHash, name, "a surface's image is written \(name.quoted()); its # was passed over"))
        }
        return image
    }

    /// What leads nowhere is reported by the search itself, the first time.
    private mutating func image(at reference: ColladaDocument.Reference) -> Int? {
        if let known = memory.images[reference] { return known }
        let image = find(reference, .image)
        memory.images[reference] = .some(image)
        return image
    }

    /// Some exporters write the image's id where a sid belongs.
    private func direct(_ text: String, or fault: EffectFault) -> Result<Int?, EffectFault> {
        guard options.repairs == .made else { return .failure(fault) }
        let id = text.hasPrefix("#") ? String(text.dropFirst()) : text
        if let index = table.lookUp(id, .image) { return .success(index) }
        return .failure(fault)
    }

    private func fault(_ code: FindingCode, _ name: String, expected: String) -> EffectFault {
        .init(code, name, "\(name.quoted()) leads to nothing; expected \(expected)")
    }
}

// What the material elements mean: an effect with its parameters followed.

import DaeDiagnostics
import DaeScene
import DaeXML

/// Builds the materials of a scene. An effect that many instance is read and reported once.
struct MaterialBuilder {
    /// Of each effect whether its faults were reported.
    private var reportedEffects: [Bool]
    private var effectExtras: [Int: MaterialExtras] = [:]
    /// Extras of effects that materials have so far, each time counted.
    private var lent: WorkBudget
    /// The images that samplers of 1.5 refer to.
    private var images: [ColladaDocument.Reference: Int?] = [:]
    /// Whether extras were left out for the long ways to them.
    private var hasLongPaths = false
    /// Whether extras of textures were left out, of which there were too many.
    private var hasLongTextures = false

    init(_ context: SceneContext) {
        reportedEffects = Array(repeating: false, count: context.document.effects.count)
        lent = WorkBudget(context.limits.lentExtras)
    }

    mutating func addMaterials(to context: inout SceneContext) {
        context.scene.materials.reserveCapacity(context.document.materials.count)
        for index in context.document.materials.indices {
            context.table.home = context.document.materials[index].position.document
            context.scene.materials.append(resolved(materialAt: index, in: &context))
        }
        if hasLongPaths {
            context.log.reportLimit(
                MaterialExtras.pathLimit, "names on the way to an element under <extra> have more bytes than")
        }
        if hasLongTextures {
            context.log.reportLimit(TextureExtras.elementLimit, "a texture has more elements under <extra> than")
        }
        context.log.reportLimit(of: lent, "extras of effects are repeated in materials more often than")
    }

    private mutating func resolved(materialAt number: Int, in context: inout SceneContext) -> Material {
        // By index, here and below: what is taken out of its list would be copied.
        let reference = context.document.materials[number].effect
        let found = reference.flatMap { context.find($0, .effect) }
        var resolved = Material(
            id: context.document.materials[number].id, name: context.document.materials[number].name,
            effectID: found.flatMap { context.document.effects[$0].id },
            shading: found.flatMap { context.document.effects[$0].common?.shading })
        if let found { fill(&resolved, from: found, withMaterialAt: number, in: &context) }
        return resolved
    }

    /// Reads the properties of an effect as a material sets its parameters.
    private mutating func fill(
        _ resolved: inout Material, from index: Int, withMaterialAt number: Int, in context: inout SceneContext
    ) {
        context.table.home = context.document.effects[index].position.document
        let scope = ParameterScope(
            parameters: context.document.effects[index].parameters,
            settings: context.document.materials[number].settings,
            repairs: context.options.repairs)
        var faults: [EffectFault] = []
        let slots = context.document.effects[index].common?.slots ?? [:]
        resolved.properties.reserveCapacity(slots.count)
        for slot in ColladaDocument.Technique.Slot.allCases {
            guard let value = slots[slot] else { continue }
            let before = faults.count
            if let value = self.value(value, of: slot.rawValue, in: scope, &faults, &context) {
                resolved.properties[slot] = value
            } else {
                resolved.unread.insert(slot)
            }
            for index in before..<faults.count { faults[index].slot = slot }
        }
        if let unread = context.document.effects[index].common?.unread, !unread.isEmpty {
            resolved.unread.formUnion(unread)
        }
        resolved.opacityMode = Self.opacityMode(context.document.effects[index].common?.opaque, &faults, in: &context)
        resolved.opacity = Self.opacity(resolved.opacityMode, resolved.properties, &faults)
        let extras = extras(ofEffect: index, in: &context)
        let own = MaterialExtras(context.document.materials[number].extras)
        if extras.isCut || own.isCut { hasLongPaths = true }
        resolved.sides = own.sides ?? extras.sides
        resolved.extras = joined(extras.unknown, own.unknown)
        if !extras.details.isEmpty || !own.details.isEmpty {
            for (detail, value) in extras.details.merging(own.details, uniquingKeysWith: { _, own in own }) {
                resolved.details[detail] = self.value(value, of: detail.rawValue, in: scope, &faults, &context)
            }
        }
        if context.document.effects[index].profiles.isEmpty, !context.document.materials[number].settings.isEmpty {
            let material = context.document.materials[number]
            for sid in material.settings.keys.sorted() where scope.parameters[sid] == nil {
                context.log.add(
                    .effectParamUnresolved, at: material.place,
                    "the material sets \(sid.quoted()), which its effect does not have",
                    arguments: [.init("reference", sid)])
            }
        }
        guard !reportedEffects[index] else { return }
        reportedEffects[index] = true
        for fault in faults { Self.report(fault, of: context.document.effects[index], &context.log) }
    }

    /// An effect's extras before a material's own. Where many materials with extras of their own share an effect of
    /// many, those of the effect are left out beyond a limit: they are stored again for each.
    private mutating func joined(_ shared: [Material.Extra], _ own: [Material.Extra]) -> [Material.Extra] {
        guard !own.isEmpty else { return shared }
        return lent.admits(shared.count) ? shared + own : own
    }

    private mutating func extras(ofEffect index: Int, in context: inout SceneContext) -> MaterialExtras {
        // Most have none, and nothing is to be remembered of them.
        if context.document.effects[index].extras.isEmpty,
            context.document.effects[index].common?.extras.isEmpty != false
        {
            return MaterialExtras([])
        }
        if let known = effectExtras[index] { return known }
        let extras = MaterialExtras(
            context.document.effects[index].extras + (context.document.effects[index].common?.extras ?? []))
        effectExtras[index] = extras
        return extras
    }

    // MARK: - Values

    /// - Returns: `nil` where the file means no value, or where it leads nowhere, which is a fault.
    private mutating func value(
        _ value: ColladaDocument.Technique.Value, of name: String, in scope: ParameterScope,
        _ faults: inout [EffectFault], _ context: inout SceneContext
    ) -> Material.Value? {
        switch value {
        case .color(let color): return .color(color)
        case .number(let number): return .number(number)
        case .texture(let texture): return self.texture(texture, in: scope, &faults, &context).map { .texture($0) }
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
    private static func opacityMode(
        _ written: String?, _ faults: inout [EffectFault], in context: inout SceneContext
    ) -> Opacity.Mode {
        var mode = Opacity.Mode.aOne
        if let written {
            if let known = Opacity.Mode(rawValue: written) {
                mode = known
            } else if context.options.schema == .off {
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
            if context.options.schema == .off, let version = context.document.version, version.hasPrefix("1.4") {
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

    private static func opacity(
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

    private static func report(_ fault: EffectFault, of effect: ColladaDocument.Effect, _ log: inout FindingLog) {
        let position = fault.slot.flatMap { effect.common?.position(of: $0) }
        let place = Place(position ?? effect.common?.position ?? effect.position, of: effect.id)
        guard let slot = fault.slot?.rawValue else {
            log.add(fault.code, at: place, fault.message, arguments: [.init("reference", fault.value)])
            return
        }
        let message = fault.message.hasPrefix("<\(slot)>") ? fault.message : "<\(slot)>: \(fault.message)"
        log.add(
            fault.code, at: place, message,
            arguments: [.init("reference", fault.value), .init("property", slot)])
    }

    // MARK: - Textures

    // A texture names a sampler, the sampler a surface, the surface an image; 1.5 has no surface; exporters leave out a
    // step or two.

    /// - Returns: `nil` where no image is meant (`init_as_null` and its like), or where the way to it ends too soon,
    ///   which is a fault.
    private mutating func texture(
        _ texture: ColladaDocument.Technique.Texture, in scope: ParameterScope, _ faults: inout [EffectFault],
        _ context: inout SceneContext
    ) -> Material.Texture? {
        var sampler = Material.Texture.Sampler()
        let image: Result<Int?, EffectFault>
        if let fault = EffectFault(passingOverTheHashOf: texture.sampler, in: scope) { faults.append(fault) }
        switch scope.value(texture.sampler) {
        case .sampler(let found):
            sampler = found.state
            image = self.image(of: found, in: scope, &faults, &context)
        case .surface(let surface):
            let fault = EffectFault(.textureSamplerUnresolved, texture.sampler, expected: "the sid of a sampler")
            image = context.options.repairs == .made ? Self.image(of: surface, &faults, &context) : .failure(fault)
            if case .success = image {
                faults.append(
                    .init(
                        .quirkTextureDirectSurface, texture.sampler,
                        "the texture \(texture.sampler.quoted()) is the sid of a surface, which was taken; expected that of a sampler"
                    ))
            }
        case .numbers, .alias, .other, nil:
            image = Self.direct(
                texture.sampler,
                or: .init(.textureSamplerUnresolved, texture.sampler, expected: "the sid of a sampler"), &context)
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
            if extras.isCut { hasLongTextures = true }
            extras.apply(to: &made)
            return made
        }
    }

    private mutating func image(
        of sampler: ColladaDocument.Parameter.Sampler, in scope: ParameterScope, _ faults: inout [EffectFault],
        _ context: inout SceneContext
    ) -> Result<Int?, EffectFault> {
        if let reference = sampler.image { return .success(image(at: reference, in: &context)) }
        let sid = sampler.surface ?? ""
        if let fault = EffectFault(passingOverTheHashOf: sid, in: scope) { faults.append(fault) }
        if case .surface(let surface)? = scope.value(sid) { return Self.image(of: surface, &faults, &context) }
        let image = Self.direct(
            sid, or: .init(.textureSurfaceUnresolved, sid, expected: "the sid of a surface"), &context)
        if case .success = image {
            faults.append(
                .init(
                    .quirkSamplerDirectImage, sid,
                    "a sampler's \(sid.quoted()) is the id of an image, which was taken; expected the sid of a surface")
            )
        }
        return image
    }

    private static func image(
        of surface: ColladaDocument.Parameter.Surface, _ faults: inout [EffectFault], _ context: inout SceneContext
    ) -> Result<Int?, EffectFault> {
        guard let name = surface.images.first else { return .success(nil) }
        if let index = context.table.lookUp(name, .image) { return .success(index) }
        let image = direct(name, or: .init(.refUnresolved, name, expected: "the id of an image"), &context)
        if case .success = image {
            faults.append(
                .init(.quirkIDHash, name, "a surface's image is written \(name.quoted()); its # was passed over"))
        }
        return image
    }

    /// What leads nowhere is reported by the search itself, the first time.
    private mutating func image(at reference: ColladaDocument.Reference, in context: inout SceneContext) -> Int? {
        if let known = images[reference] { return known }
        let image = context.find(reference, .image)
        images[reference] = .some(image)
        return image
    }

    /// Some exporters write the image's id where a sid belongs.
    private static func direct(
        _ text: String, or fault: EffectFault, _ context: inout SceneContext
    ) -> Result<Int?, EffectFault> {
        guard context.options.repairs == .made else { return .failure(fault) }
        let id = text.hasPrefix("#") ? String(text.dropFirst()) : text
        if let index = context.table.lookUp(id, .image) { return .success(index) }
        return .failure(fault)
    }
}

// What exporters say of a surface beyond the common profile, under `<extra>`: by profile and element, in one table.

import SceneModel

/// What the extras of an effect, its common profile or a material mean.
struct MaterialExtras {
    var sides: Material.Sides?
    var details: [Material.Detail: ColladaDocument.Technique.Value] = [:]
    /// What is in no table.
    var unknown: [Material.Extra] = []
    /// Whether elements were left out for their long ways.
    private(set) var isCut = false  // a fact, for the finding

    private enum Meaning {
        case sides
        case detail(Material.Detail)
    }

    /// The profiles whose elements are understood.
    static let profiles: Set<String> = [
        "FCOLLADA", "MAYA", "MAX3D", "OpenCOLLADA", "OpenCOLLADAMaya", "OpenCOLLADA3dsMax", "GOOGLEEARTH", "SceneKit",
        "OKINO", "COLLADAMax", "COLLADAMaya",
    ]

    /// Exporters copied these from each other, so a name means the same in each profile that has it.
    private static let meanings: [String: Meaning] = [
        "double_sided": .sides, "bump": .detail(.bump), "normal": .detail(.normal), "normalmap": .detail(.normal),
        "displacement": .detail(.displacement), "ambient_occlusion": .detail(.ambientOcclusion),
        "ambientOcclusion": .detail(.ambientOcclusion), "spec_level": .detail(.specularLevel),
        "specularLevel": .detail(.specularLevel), "specular_level": .detail(.specularLevel),
        "emission_level": .detail(.emissionLevel), "multiply": .detail(.multiply),
        "fresnelExponent": .detail(.fresnelExponent),
    ]

    init(_ extras: [ColladaDocument.Extra]) {
        for extra in extras {
            let isKnown = Self.profiles.contains(extra.profile ?? "")
            for element in extra.elements {
                if !isKnown || !read(element) { keep(element, of: extra.profile) }
            }
        }
    }

    /// - Returns: `false` when the element means nothing that is known.
    private mutating func read(_ element: RawElement) -> Bool {
        switch Self.meanings[String(element.localName)] {
        case nil: return false
        case .sides:
            guard let isDouble = element.flag else { return false }
            // Any one that says double counts: others are defaults that a later tool wrote beside it.
            if sides != .double { sides = isDouble ? .double : .single }
            return true
        case .detail(var detail):
            guard let value = element.value else { return false }
            if detail == .bump, element["bumptype"] == "NORMALMAP" { detail = .normal }
            if details[detail] == nil { details[detail] = value }
            return true
        }
    }

    /// Bytes of a way to an element; what lies deeper is left out. Long names deep down, each with many children,
    /// would take far more memory than the file.
    static let pathLimit = 1024

    /// Every element with a text or without children, by its way from the technique down.
    private mutating func keep(_ element: RawElement, of profile: String?) {
        guard element.localName.utf8.count <= Self.pathLimit else {
            isCut = true
            return
        }
        var stack = [(element, String(element.localName))]
        while let (element, path) = stack.popLast() {
            if !element.text.isEmpty || element.children.isEmpty {
                unknown.append(.init(profile: profile, path: path, text: element.text))
            }
            for child in element.children.reversed() {
                guard path.utf8.count + child.localName.utf8.count < Self.pathLimit else {
                    isCut = true
                    continue
                }
                stack.append((child, path + "/" + child.localName))
            }
        }
    }
}

/// What the extras of a texture mean: Maya's terms, which other exporters write too.
struct TextureExtras {
    private var numbers: [String: Double] = [:]
    private var blendMode: String?
    /// Whether there are more elements than are read.
    private(set) var isCut = false  // a fact, for the finding

    static let profiles: Set<String> = [
        "FCOLLADA", "MAYA", "MAX3D", "OpenCOLLADA", "OpenCOLLADAMaya", "OpenCOLLADA3dsMax", "OKINO", "SceneKit",
        "COLLADAMax", "COLLADAMaya",
    ]

    /// Exporters write some twenty elements; more are not read, for each material of an effect reads them again.
    static let elementLimit = 256

    init(_ extras: [ColladaDocument.Extra]) {
        isCut = extras.count > Self.elementLimit
        var left = Self.elementLimit
        for extra in extras.prefix(Self.elementLimit) where Self.profiles.contains(extra.profile ?? "") {
            for element in extra.elements {
                guard left > 0 else {
                    isCut = true
                    return
                }
                left -= 1
                read(element)
            }
        }
    }

    private mutating func read(_ element: RawElement) {
        if element.localName == "blend_mode" {
            blendMode = element.text.isEmpty || element.text == "NONE" ? nil : element.text
        } else if let number = element.number {
            numbers[String(element.localName)] = number
        }
    }

    func apply(to texture: inout Material.Texture) {
        // What the sampler says itself counts more.
        texture.sampler.wrapS = texture.sampler.wrapS ?? wrap("wrapU", "mirrorU")
        texture.sampler.wrapT = texture.sampler.wrapT ?? wrap("wrapV", "mirrorV")
        texture.amount = numbers["amount"]
        texture.blendMode = blendMode
        var transform = Material.Texture.UVTransform()
        transform.repetition = pair("repeatU", "repeatV", else: 1)
        transform.offset = pair("offsetU", "offsetV", else: 0)
        transform.rotation = numbers["rotateUV"] ?? 0
        transform.coverage = pair("coverageU", "coverageV", else: 1)
        transform.frameTranslation = pair("translateFrameU", "translateFrameV", else: 0)
        transform.frameRotation = numbers["rotateFrame"] ?? 0
        texture.transform = transform.isIdentity ? nil : transform
    }

    private func wrap(_ wrap: String, _ mirror: String) -> Material.Texture.Wrap? {
        if let mirror = numbers[mirror], mirror != 0 { return .mirror }
        return numbers[wrap].map { $0 == 0 ? .clamp : .wrap }
    }

    private func pair(_ u: String, _ v: String, else missing: Double) -> SIMD2<Double> {
        SIMD2(numbers[u] ?? missing, numbers[v] ?? missing)
    }
}

extension RawElement {
    /// Its text, or that of the `<float>` within.
    fileprivate var number: Double? {
        let text = all("float").first?.text ?? text
        switch text {
        case "true": return 1
        case "false": return 0
        default: return Self.finite(text[...])  // strings
        }
    }

    fileprivate var flag: Bool? { number.map { $0 != 0 } }

    /// A texture, a colour or a number, as the properties of the common profile have them.
    fileprivate var value: ColladaDocument.Technique.Value? {
        if let texture = all("texture").first {
            return .texture(
                .init(
                    sampler: texture["texture"] ?? "", texcoord: texture["texcoord"] ?? "",
                    extras: ColladaDocument.Extra.list(texture.children)))
        }
        if let color = all("color").first {
            let words = color.text.split(whereSeparator: \.isWhitespace)
            let values = words.compactMap { Self.finite($0) }
            guard (3...4).contains(words.count), values.count == words.count else { return nil }
            return .color(SIMD4(values[0], values[1], values[2], values.count > 3 ? values[3] : 1))
        }
        if let parameter = all("param").first?["ref"] { return .parameter(parameter) }
        return number.map { .number($0) }
    }

    private static func finite(_ text: Substring) -> Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }
}

// What exporters say of a surface beyond the common profile, under `<extra>`: by profile and element, in one table.

import DaeDiagnostics
import DaeScene

/// What the extras of an effect, its common profile or a material mean.
struct MaterialExtras {
    private(set) var sides: Material.Sides?
    private(set) var details: [Material.Detail: ColladaDocument.Technique.Value] = [:]
    /// What is in no table.
    private(set) var unknown: [Material.Extra] = []
    /// Whether elements were left out for their long ways.
    private(set) var isCut = false

    /// The profiles whose elements are understood, in capitals.
    private static let profiles: Set<String> = [
        "FCOLLADA", "MAYA", "MAX3D", "OPENCOLLADA", "OPENCOLLADAMAYA", "OPENCOLLADA3DSMAX", "GOOGLEEARTH", "SCENEKIT",
        "OKINO", "COLLADAMAX", "COLLADAMAYA", "THREEJS",
    ]

    /// Whether elements of a profile are understood; so are those whose exporter left its name out.
    static func isKnown(_ profile: String?) -> Bool {
        guard let profile, !profile.isEmpty else { return true }
        return profiles.contains(profile.uppercased())
    }

    /// Exporters copied these from each other, so a name means the same in each profile that has it.
    private static let meanings: [String: Material.Detail] = [
        "bump": .bump, "normal": .normal, "normalmap": .normal,
        "displacement": .displacement, "ambient_occlusion": .ambientOcclusion,
        "ambientOcclusion": .ambientOcclusion, "spec_level": .specularLevel,
        "specularLevel": .specularLevel, "specular_level": .specularLevel,
        "emission_level": .emissionLevel, "multiply": .multiply,
        "fresnelExponent": .fresnelExponent,
    ]

    init(_ extras: [ColladaDocument.Extra]) {
        for extra in extras {
            let isKnown = Self.isKnown(extra.profile)
            for element in extra.elements where !readSides(element) {
                if !isKnown || !readDetail(element) { keep(element, of: extra.profile) }
            }
        }
    }

    /// What the extras of a geometry say of its sides; `nil` for nothing.
    static func sides(in extras: [ColladaDocument.Extra]) -> Material.Sides? {
        var read = MaterialExtras([])
        for extra in extras {
            for element in extra.elements { _ = read.readSides(element) }
        }
        return read.sides
    }

    /// The element has one meaning only, in whatever profile it stands.
    ///
    /// - Returns: Whether it is that element.
    private mutating func readSides(_ element: RawElement) -> Bool {
        guard element.isDoubleSided, let isDouble = element.flag else { return false }
        // Any one that says double counts: others are defaults that a later tool wrote beside it.
        if sides != .double { sides = isDouble ? .double : .single }
        return true
    }

    /// - Returns: `false` when the element means nothing that is known.
    private mutating func readDetail(_ element: RawElement) -> Bool {
        guard var detail = Self.meanings[String(element.localName)], let value = element.value else { return false }
        if detail == .bump { detail = element.kindOfBump }
        if details[detail] == nil { details[detail] = value }
        return true
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
    private(set) var isCut = false

    /// Exporters write some twenty elements; more are not read, for each material of an effect reads them again.
    static let elementLimit = 256

    init(_ extras: [ColladaDocument.Extra]) {
        isCut = extras.count > Self.elementLimit
        var left = Self.elementLimit
        for extra in extras.prefix(Self.elementLimit) where MaterialExtras.isKnown(extra.profile) {
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
    var number: Double? {
        let text = all("float").first?.text ?? text
        if let number = Self.finite(text[...]) { return number }
        switch text.lowercased() {
        case "true": return 1
        case "false": return 0
        default: return nil
        }
    }

    fileprivate var flag: Bool? { number.map { $0 != 0 } }

    /// `double_sided`, which some write in one word.
    fileprivate var isDoubleSided: Bool {
        let name = localName.utf8
        guard (11...12).contains(name.count) else { return false }
        return name.lazy.filter { $0 != 0x5F }.map { $0 | 0x20 }.elementsEqual("doublesided".utf8)
    }

    /// What the picture of a `<bump>` holds, by its `bumptype`.
    fileprivate var kindOfBump: Material.Detail {
        let type = attributes.first { $0.name.lowercased() == "bumptype" }?.value.uppercased() ?? ""
        if type.contains("NORMAL") { return .normal }
        return type.contains("HEIGHT") ? .heights : .bump
    }

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

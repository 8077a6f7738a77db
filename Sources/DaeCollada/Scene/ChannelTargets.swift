import DaeScene
import DaeXML

// What the addresses of channels lead to.

struct ChannelTargets: DocumentSharing {
    enum Found {
        /// At least one; several where an effect is moved for all its materials.
        case found([AnimationTarget])
        /// What was found through instances.
        case instanced(AnimationTarget, NodeSids.Way)
        /// The element is there, but has no such part.
        case wrongMember
        case missing
    }

    let shared: SharedDocument
    private let table: ReferenceTable
    /// Made when first asked for: most channels move the node they name.
    private lazy var search = SidSearch(document)
    /// Made for the first address that leads through an instance.
    private var instances: NodeSids?
    private let instanceTargets: InstanceTargets
    private let stepLimit: Int
    private let repairs: ColladaOptions.Repairs
    /// How the address that was found last was mended; `nil` where it was not.
    private(set) var mending: Mending?

    /// What was passed over in an address.
    enum Mending {
        /// The element has no sid of that name, but is called so.
        case elementName
        /// It is a number, or has fewer parts.
        case member
    }
    /// Whether materials of an effect were left out.
    private(set) var isCut = false
    /// Morphs by the ids of the sources that hold their weights, or of those sources' arrays.
    private let morphByWeights: [String: Int]
    /// The materials that have each effect.
    private let materialsByEffect: [Int: [Int]]
    private let effectByMaterial: [Int: Int]

    init(
        _ shared: SharedDocument, _ table: ReferenceTable, _ instances: InstanceTargets, stepLimit: Int,
        repairs: ColladaOptions.Repairs
    ) {
        self.repairs = repairs
        instanceTargets = instances
        self.stepLimit = stepLimit
        self.shared = shared
        self.table = table
        var morphs: [String: Int] = [:]
        for (index, controller) in shared.linked.document.controllers.enumerated()
        where controller.position.document == table.home {
            for id in controller.weightIDs where morphs[id] == nil { morphs[id] = index }
        }
        morphByWeights = morphs
        var materials: [Int: [Int]] = [:]
        var effects: [Int: Int] = [:]
        for (index, material) in shared.linked.document.materials.enumerated() {
            guard let reference = material.effect, let owner = table.document(of: reference),
                let effect = table.lookUp(reference.id, in: owner, .effect)
            else { continue }
            materials[effect, default: []].append(index)
            effects[index] = effect
        }
        materialsByEffect = materials
        effectByMaterial = effects
    }

    /// - Parameter limit: The materials of an effect that are wanted at most.
    mutating func find(_ address: TargetAddress, in scene: Scene, limit: Int) -> Found {
        var isPartWrong = false
        if address.hasHash, repairs == .refused { return .missing }
        for ending in address.endings {
            mending = nil
            switch find(address, ending, in: scene, limit: limit) {
            case .found(let targets): return .found(targets)
            case .instanced(let target, let way): return .instanced(target, way)
            case .wrongMember: isPartWrong = true
            case .missing: continue
            }
        }
        return isPartWrong ? .wrongMember : .missing
    }

    private mutating func find(
        _ address: TargetAddress, _ ending: TargetAddress.Ending, in scene: Scene, limit: Int
    ) -> Found {
        if address.id.isEmpty { return weights(morphByWeights[ending.name], ending, in: scene) }
        // Of what has the address's id: the kind that channels move.
        guard let root = table.lookUp(address.id, where: { Self.moved.contains($0.kind) }) else { return .missing }
        if let node = root.index(of: .node) { return transform(address, ending, below: node, in: scene) }
        if let camera = root.index(of: .camera) { return self.camera(camera, ending) }
        if let light = root.index(of: .light) { return self.light(light, ending) }
        if let material = root.index(of: .material) {
            return materials([material], effectByMaterial[material], address, ending)
        }
        if let effect = root.index(of: .effect) {
            let all = materialsByEffect[effect] ?? []
            if all.count > limit { isCut = true }
            return materials(all.prefix(limit), effect, address, ending)
        }
        if let controller = root.index(of: .controller) {
            let isMeant = document.controllers[controller].weightIDs.contains(ending.name)
            return weights(isMeant ? controller : nil, ending, in: scene)
        }
        return .missing
    }

    private static let moved: [LibraryKind] = [.node, .camera, .light, .material, .effect, .controller]

    // MARK: - Kinds

    private mutating func transform(
        _ address: TargetAddress, _ ending: TargetAddress.Ending, below root: Int, in scene: Scene
    ) -> Found {
        // The node's own transforms are the nearest, and what most channels mean.
        if address.sids.isEmpty, let own = document.nodes[root].transformSIDs.firstIndex(of: ending.name) {
            return found(own, of: root, ending, in: scene)
        }
        if search.hasInstances(below: root) { return instanced(address, ending, below: root, in: scene) }
        var node = root
        for sid in address.sids {
            guard let child = search.node(sid, below: node) else { return .missing }
            node = child
        }
        guard let (owner, place) = search.transform(ending.name, below: node) else { return .missing }
        return found(place, of: owner, ending, in: scene)
    }

    private func found(_ place: Int, of node: Int, _ ending: TargetAddress.Ending, in scene: Scene) -> Found {
        guard ending.member.range(in: scene.nodes[node].transforms[place]) != nil else { return .wrongMember }
        return .found([.transform(SceneIndex(node), at: place, ending.member)])
    }

    private mutating func instanced(
        _ address: TargetAddress, _ ending: TargetAddress.Ending, below root: Int, in scene: Scene
    ) -> Found {
        var instances = self.instances ?? NodeSids(shared, scene, instanceTargets, stepLimit: stepLimit)
        self.instances = nil
        defer { self.instances = instances }
        guard let way = instances.way(to: ending.name, over: address.sids, below: root) else { return .missing }
        let found =
            switch way.end {
            case .transform(of: let node, at: let place): found(place, of: node, ending, in: scene)
            case .camera(let camera): self.camera(camera, ending)
            case .light(let light): self.light(light, ending)
            }
        guard case .found(let targets) = found, let target = targets.first else { return found }
        return .instanced(target, way)
    }

    /// Whether addresses through instances were looked for no further than the limit.
    var isExhausted: Bool { instances?.work.isExhausted == true }

    private func weights(_ morph: Int?, _ ending: TargetAddress.Ending, in scene: Scene) -> Found {
        guard let morph, case .morph(let figures)? = scene.controllers[morph].kind else { return .missing }
        switch ending.member {
        case .whole: return .found([.morphWeight(SceneIndex(morph), at: nil)])
        case .index(let index):
            guard index < figures.targets.count else { return .wrongMember }
            return .found([.morphWeight(SceneIndex(morph), at: index)])
        case .named, .cell: return .wrongMember
        }
    }

    /// By sid, or by the name of the element, which exporters write without giving it as a sid.
    private mutating func camera(_ index: Int, _ ending: TargetAddress.Ending) -> Found {
        guard let parameter = parameter(ending, document.cameras[index].parameters) else { return .missing }
        guard mayPass(ending.member.isOfNumber, ending.member.isNumber) else { return .wrongMember }
        return .found([.camera(SceneIndex(index), parameter)])
    }

    private mutating func light(_ index: Int, _ ending: TargetAddress.Ending) -> Found {
        guard let parameter = parameter(ending, document.lights[index].parameters) else { return .missing }
        if parameter == .color {
            // A colour's alpha, which lights do not have, is let pass.
            guard mayPass(ending.member.range(inVectorOf: 3) != nil, ending.member.range(inVectorOf: 4) != nil) else {
                return .wrongMember
            }
            return .found([.light(SceneIndex(index), parameter, ending.member)])
        }
        guard mayPass(ending.member.isOfNumber, ending.member.isNumber) else { return .wrongMember }
        return .found([.light(SceneIndex(index), parameter, .whole)])
    }

    private mutating func parameter<Parameter: RawRepresentable<String>>(
        _ ending: TargetAddress.Ending, _ bySID: [String: Parameter]
    ) -> Parameter? {
        if let known = bySID[ending.name] { return known }
        guard repairs == .made, let named = Parameter(rawValue: ending.name.lowercased()) else { return nil }
        mending = .elementName
        return named
    }

    /// Whether a member may be taken: by the letter, or as exporters write it.
    private mutating func mayPass(_ isByTheLetter: Bool, _ isUsual: Bool) -> Bool {
        guard !isByTheLetter else { return true }
        guard isUsual, repairs == .made else { return false }
        // One finding an address.
        mending = mending ?? .member
        return true
    }

    /// A path that means none of the effect's properties is kept as it is, with its last part taken for a member: it may
    /// lead into another profile, which is not followed.
    private func materials(
        _ materials: ArraySlice<Int>, _ effect: Int?, _ address: TargetAddress, _ ending: TargetAddress.Ending
    ) -> Found {
        guard !materials.isEmpty else { return .missing }
        func path(_ ending: TargetAddress.Ending) -> [String] { address.sids + [ending.name] }
        func found(_ parameter: AnimationTarget.MaterialParameter, _ member: AnimationMember) -> Found {
            .found(materials.map { .material(SceneIndex($0), parameter, member) })
        }
        if let slot = effect.flatMap({ document.effects[$0].slot(forSIDPath: path(ending)) }) {
            return found(.property(slot), ending.member)
        }
        guard let last = address.endings.last, last.name == ending.name else { return .missing }
        return found(.init(named: path(last).joined(separator: "/")), last.member)
    }
}

extension AnimationMember {
    /// Whether it leaves a single number as it is.
    fileprivate var isOfNumber: Bool { self == .whole }

    /// Whether it may stand behind a single number, which some exporters write with a part.
    fileprivate var isNumber: Bool {
        switch self {
        case .whole, .index(0), .named(.x), .named(.angle): true
        case .index, .named, .cell: false
        }
    }
}

extension ColladaDocument.Controller {
    /// Of a morph: what its weights are addressed by.
    fileprivate var weightIDs: [String] {
        guard case .morph(let morph) = kind, let weights = morph.input("MORPH_WEIGHT"),
            let source = ColladaDocument.source(of: weights, in: morph.sources)
        else { return [] }
        return [source.id, source.arrayID].compactMap { $0 }
    }
}

/// What channels that play together move: the same part twice, or a whole and a part of it, is moved twice.
struct MovedTargets {
    private var wholes: Set<AnimationTarget> = []
    /// Numbers of wholes, by their places.
    private var parts: Set<AnimationTarget> = []
    /// The wholes of ``parts``.
    private var partly: Set<AnimationTarget> = []

    /// - Returns: Whether nothing of it was moved before.
    mutating func insert(_ target: AnimationTarget, in scene: Scene) -> Bool {
        let whole = target.whole
        let part = target.normalized(in: scene)
        if part == whole { return wholes.insert(whole).inserted && !partly.contains(whole) }
        partly.insert(whole)
        return parts.insert(part).inserted && !wholes.contains(whole)
    }
}

extension AnimationTarget {
    fileprivate var whole: AnimationTarget {
        switch self {
        case .transform(let node, at: let place, _): .transform(node, at: place, .whole)
        case .morphWeight(let controller, at: _): .morphWeight(controller, at: nil)
        case .material(let material, let parameter, _): .material(material, parameter, .whole)
        case .camera: self
        case .light(let light, let parameter, _): .light(light, parameter, .whole)
        }
    }

    /// With a part by the place of its number, however the channel names it.
    fileprivate func normalized(in scene: Scene) -> AnimationTarget {
        switch self {
        case .transform(let node, at: let place, let member):
            let range = member.range(in: scene.nodes[node].transforms[place])
            return .transform(node, at: place, member.normalized(range))
        case .material(let material, let parameter, let member):
            return .material(material, parameter, member.normalized(member.range(inVectorOf: 4)))
        case .light(let light, let parameter, let member):
            return .light(light, parameter, member.normalized(member.range(inVectorOf: 4)))
        case .morphWeight, .camera: return self
        }
    }
}

extension AnimationMember {
    fileprivate func normalized(_ range: Range<Int>?) -> AnimationMember {
        switch self {
        case .whole: .whole
        case .named, .index, .cell: range.map { .index($0.lowerBound) } ?? self
        }
    }
}

// Addresses of ids and sids, as channels and kinematics have them.

/// The address of what a channel moves: an id, sids on the way down from it, and the part of what they lead to.
///
/// - Source: COLLADA 1.4.1 and 1.5.0, chapter 3, "Address Syntax".
struct TargetAddress {
    let id: String
    let sids: [String]
    /// The ways to read the last step: a sid may hold dots and brackets itself, so the longest comes first.
    let endings: [Ending]
    /// Whether it begins with a `#`, as the address of an element does.
    let hasHash: Bool

    struct Ending {
        let name: String
        let member: AnimationMember
    }

    /// `nil` for an empty address.
    init?(_ text: String) {
        // Some exporters write the address of an id as everywhere else.
        hasHash = text.utf8.first == UInt8(ascii: "#")
        var steps = Self.steps(of: text, from: hasHash ? 1 : 0)
        guard let last = steps.popLast(), !last.isEmpty else { return nil }
        endings = Self.endings(of: last)
        id = steps.first ?? ""
        sids = Array(steps.dropFirst())
    }

    /// What stands between slashes, of all bytes but the first few.
    private static func steps(of text: String, from first: Int) -> [String] {
        var text = text
        return text.withUTF8 { bytes in
            var steps: [String] = []
            var start = first
            for place in first..<bytes.count where bytes[place] == UInt8(ascii: "/") {
                steps.append(String(decoding: bytes[start..<place], as: UTF8.self))
                start = place + 1
            }
            steps.append(String(decoding: bytes[start...], as: UTF8.self))
            return steps
        }
    }

    /// No member is longer than two numbers in brackets: what is before them is part of the sid.
    private static let longestMember = 48

    /// Bytes of a step at which a member may begin, the last first.
    private static func memberPlaces(in step: String) -> [Int] {
        var step = step
        return step.withUTF8 { bytes in
            (max(1, bytes.count - longestMember)..<max(1, bytes.count)).reversed().filter { place in
                bytes[place] == UInt8(ascii: ".") || bytes[place] == UInt8(ascii: "(")
            }
        }
    }

    private static func endings(of step: String) -> [Ending] {
        var endings = [Ending(name: step, member: .whole)]
        for place in memberPlaces(in: step) {
            let at = step.utf8.index(step.startIndex, offsetBy: place)
            guard let member = AnimationMember(step[at...]) else { continue }
            endings.append(Ending(name: String(step[..<at]), member: member))
        }
        return endings
    }
}

// What the addresses of channels lead to.

import SceneModel
import XMLReader

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
    private(set) var isCut = false  // a fact, for the finding
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
                case .effect(let effect)? = table.lookUp(reference.id, in: owner, where: { $0.element == "effect" })
            else { continue }
            materials[effect, default: []].append(index)
            effects[index] = effect
        }
        materialsByEffect = materials
        effectByMaterial = effects
    }

    /// - Parameter limit: The materials of an effect that are wanted at most.
    mutating func find(_ address: TargetAddress, in scene: Scene, limit: Int) -> Found {
        var isPartWrong = false  // a fact about the address, for the finding
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
        switch root(of: address) {
        case .node(let node): return transform(address, ending, below: node, in: scene)
        case .camera(let camera): return self.camera(camera, ending)
        case .light(let light): return self.light(light, ending)
        case .material(let material): return materials([material], effectByMaterial[material], address, ending)
        case .effect(let effect):
            let all = materialsByEffect[effect] ?? []
            if all.count > limit { isCut = true }
            return materials(all.prefix(limit), effect, address, ending)
        case .controller(let controller):
            let isMeant = document.controllers[controller].weightIDs.contains(ending.name)
            return weights(isMeant ? controller : nil, ending, in: scene)
        case .geometry, .image, .visualScene, .animation, .animationClip, .mechanics, nil: return .missing
        }
    }

    /// Of what has the address's id: the kind that channels move.
    private func root(of address: TargetAddress) -> ReferenceTable.Target? {
        table.lookUp(address.id) { target in
            switch target {
            case .node, .camera, .light, .material, .effect, .controller: true
            case .geometry, .image, .visualScene, .animation, .animationClip, .mechanics: false
            }
        }
    }

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
    var isExhausted: Bool { instances?.isExhausted == true }

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

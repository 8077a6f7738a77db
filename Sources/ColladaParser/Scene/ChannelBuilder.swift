// Leads the channels of a document's animations to what they move.

import Diagnostics
import SceneModel
import XMLReader

struct ChannelBuilder {
    private let document: ColladaDocument
    private let table: ReferenceTable
    /// Morphs by the ids of the sources that hold their weights, or of those sources' arrays.
    private let morphByWeights: [String: Int]
    private let samplers: [String: ColladaDocument.Sampler]
    private(set) var log = FindingLog()
    /// Nodes looked at for sids so far: a bound on hostile documents.
    private var steps = 0
    private static let stepLimit = 20_000_000

    init(_ document: ColladaDocument, _ table: ReferenceTable) {
        self.document = document
        self.table = table
        var morphs: [String: Int] = [:]
        for (index, controller) in document.controllers.enumerated() {
            guard case .morph(let morph) = controller.kind,
                let weights = morph.targets.first(where: { $0.semantic == "MORPH_WEIGHT" }),
                let source = ColladaDocument.source(of: weights, in: morph.sources)
            else { continue }
            for case let id? in [source.id, source.arrayID] where morphs[id] == nil { morphs[id] = index }
        }
        morphByWeights = morphs
        samplers = Dictionary(
            document.animations.lazy.flatMap(\.samplers).compactMap { sampler in sampler.id.map { ($0, sampler) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The channels of every animation, in the document's order; those that lead nowhere are told and left out.
    ///
    /// - Returns: For each animation its channels, empty where only figures were read.
    mutating func build(in scene: Scene) -> [[AnimationChannel]] {
        document.animations.map { animation in
            var channels: [AnimationChannel] = []
            for channel in animation.channels {
                guard let target = target(of: channel, in: scene), let curve = sampler(of: channel)?.curve else {
                    continue
                }
                channels.append(AnimationChannel(target: target, curve: curve))
            }
            return channels
        }
    }

    private func sampler(of channel: ColladaDocument.Channel) -> ColladaDocument.Sampler? {
        let text = channel.source.text
        let id = text.hasPrefix("#") ? String(text.dropFirst()) : text
        return samplers[id] ?? samplers[id.percentDecoded]
    }

    // MARK: - Targets

    private mutating func target(of channel: ColladaDocument.Channel, in scene: Scene) -> AnimationTarget? {
        guard let address = TargetAddress(channel.target.text) else {
            tellUnresolved(channel)
            return nil
        }
        var isPartWrong = false  // a fact about the address, for the finding
        for ending in address.endings {
            switch target(address, ending, in: scene) {
            case .found(let target): return target
            case .wrongMember: isPartWrong = true
            case .missing: continue
            }
        }
        if isPartWrong { tellWrongPart(channel) } else { tellUnresolved(channel) }
        return nil
    }

    private enum Found {
        case found(AnimationTarget)
        /// The element is there, but has no such part.
        case wrongMember
        case missing
    }

    /// Of what has the address's id: the kind that channels move.
    private func root(of address: TargetAddress) -> ReferenceTable.Target? {
        table.lookUp(address.id) { target in
            switch target {
            case .node, .camera, .light, .material, .effect: true
            case .geometry, .controller, .image, .visualScene, .animation, .animationClip, .mechanics: false
            }
        }
    }

    private mutating func target(
        _ address: TargetAddress, _ ending: TargetAddress.Ending, in scene: Scene
    ) -> Found {
        if address.id.isEmpty { return morphTarget(ending, in: scene) }
        guard case .node(let root)? = root(of: address) else { return parameter(address, ending) }
        var node = root
        for sid in address.sids {
            guard let child = child(withSID: sid, below: node) else { return .missing }
            node = child
        }
        guard let (owner, place) = transform(withSID: ending.name, below: node) else { return .missing }
        guard ending.member.range(in: scene.nodes[owner].transforms[place]) != nil else { return .wrongMember }
        return .found(.transform(SceneIndex(owner), at: place, ending.member))
    }

    private func morphTarget(_ ending: TargetAddress.Ending, in scene: Scene) -> Found {
        guard let morph = morphByWeights[ending.name] else { return .missing }
        switch ending.member {
        case .whole: return .found(.morphWeight(SceneIndex(morph), at: nil))
        case .index(let index):
            guard case .morph(let targets)? = scene.controllers[morph].kind, index < targets else {
                return .wrongMember
            }
            return .found(.morphWeight(SceneIndex(morph), at: index))
        case .named, .cell: return .wrongMember
        }
    }

    /// Cameras, lights and materials: by the names of their parameters, which exporters give as sids too.
    private func parameter(_ address: TargetAddress, _ ending: TargetAddress.Ending) -> Found {
        switch root(of: address) {
        case .camera(let camera):
            guard let parameter = AnimationTarget.CameraParameter(rawValue: ending.name.lowercased()) else {
                return .missing
            }
            return ending.member == .whole ? .found(.camera(SceneIndex(camera), parameter)) : .wrongMember
        case .light(let light):
            guard let parameter = AnimationTarget.LightParameter(rawValue: ending.name.lowercased()) else {
                return .missing
            }
            return .found(.light(SceneIndex(light), parameter, ending.member))
        case .material(let material):
            return .found(
                .material(
                    SceneIndex(material), parameter: (address.sids + [ending.name]).joined(separator: "/"),
                    ending.member))
        case .effect(let effect):
            // An effect is moved for every material that has it; the first stands for them.
            guard
                let material = document.materials.firstIndex(where: { $0.effect.map { isEffect(effect, $0) } ?? false })
            else { return .missing }
            return .found(
                .material(
                    SceneIndex(material), parameter: (address.sids + [ending.name]).joined(separator: "/"),
                    ending.member))
        case .geometry, .controller, .image, .node, .visualScene, .animation, .animationClip, .mechanics, nil:
            return .missing
        }
    }

    private func isEffect(_ index: Int, _ reference: ColladaDocument.Reference) -> Bool {
        guard let hash = reference.text.lastIndex(of: "#") else { return false }
        return table.lookUp(String(reference.text[hash...].dropFirst()), where: { $0 == .effect(index) })
            == .effect(index)
    }

    // MARK: - Sids

    /// The transform with a sid, level by level from a node down.
    private mutating func transform(withSID sid: String, below root: Int) -> (node: Int, place: Int)? {
        search(below: root) { document, node in
            document.nodes[node].transforms.firstIndex { $0.sid == sid }.map { (node, $0) }
        }
    }

    private mutating func child(withSID sid: String, below root: Int) -> Int? {
        search(below: root) { document, node in
            document.nodes[node].contents.lazy.compactMap { content -> Int? in
                guard case .node(let child) = content else { return nil }
                return document.nodes[child].sid == sid ? child : nil
            }.first
        }
    }

    /// Breadth first, as the specification wants it.
    private mutating func search<Value>(below root: Int, _ look: (ColladaDocument, Int) -> Value?) -> Value? {
        var level = [root]
        while !level.isEmpty, steps < Self.stepLimit {
            steps += level.count
            for node in level {
                if let found = look(document, node) { return found }
            }
            level = level.flatMap { node in
                document.nodes[node].contents.compactMap { content -> Int? in
                    guard case .node(let child) = content else { return nil }
                    return child
                }
            }
        }
        return nil
    }

    // MARK: - What was odd

    private mutating func tellUnresolved(_ channel: ColladaDocument.Channel) {
        let text = channel.target.text
        log.add(
            .animationTargetUnresolved, at: Place(channel.target.position),
            "the channel's target \(text.prefix(200).debugDescription) leads to nothing that can be moved",
            arguments: [.init("target", text)])
    }

    private mutating func tellWrongPart(_ channel: ColladaDocument.Channel) {
        let text = channel.target.text
        log.add(
            .animationTargetMemberInvalid, at: Place(channel.target.position),
            "the channel's target \(text.prefix(200).debugDescription) names a part that its element does not have",
            arguments: [.init("target", text)])
    }
}

// Leads the channels of a document's animations to what they move.

import DaeDiagnostics
import DaeScene
import DaeXML

struct ChannelBuilder: DocumentSharing {
    let shared: SharedDocument
    private var targets: ChannelTargets
    /// The first of each id.
    private var samplers: [SamplerPlace] = []
    /// Into ``samplers``.
    private var samplersByID = IDTable<Int>()
    /// Those of ids that stand more than once.
    private var namesakes: NearestByID<SamplerPlace>?
    private(set) var log = FindingLog()
    private let limits: SearchLimits
    private let repairs: ColladaOptions.Repairs
    private var conversions: ChannelConversions?
    private var channels = 0
    /// Targets of the channels of each animation that lead to nothing.
    private(set) var unresolved: [[String]] = []
    private var moved = MovedTargets()

    init(
        _ shared: SharedDocument, _ table: ReferenceTable, _ instances: InstanceTargets, _ systems: AssetSystems,
        limits: SearchLimits, repairs: ColladaOptions.Repairs
    ) {
        self.shared = shared
        self.limits = limits
        self.repairs = repairs
        targets = ChannelTargets(shared, table, instances, stepLimit: limits.nodes, repairs: repairs)
        conversions = ChannelConversions(shared, systems, factor: limits.convertedCurves)
        var repeated: Set<String> = []
        // By index: what is taken out of a list would be copied, with all it holds.
        for animation in document.animations.indices {
            for sampler in document.animations[animation].samplers.indices {
                guard let id = document.animations[animation].samplers[sampler].id else { continue }
                guard samplersByID.insert(samplers.count, for: id) == nil else {
                    repeated.insert(id)
                    continue
                }
                samplers.append(SamplerPlace(animation: animation, sampler: sampler))
            }
        }
        if !repeated.isEmpty { findNamesakes(of: repeated) }
    }

    private mutating func findNamesakes(of ids: Set<String>) {
        var found = NearestByID<SamplerPlace>(children: document.animations.lazy.map(\.children))
        for animation in document.animations.indices {
            for (place, sampler) in document.animations[animation].samplers.enumerated() {
                guard let id = sampler.id, ids.contains(id) else { continue }
                found.add(SamplerPlace(animation: animation, sampler: place), id, in: animation)
            }
        }
        namesakes = found
    }

    private struct SamplerPlace {
        /// Into the document's animations.
        let animation: Int
        /// Into those of the animation.
        let sampler: Int
    }

    /// The channels of every animation, in the document's order; those that lead nowhere are reported and left out.
    ///
    /// - Returns: For each animation its channels, empty where only figures were read.
    mutating func build(in scene: Scene) -> [[AnimationChannel]] {
        let channels = document.animations.indices.map { index in
            var channels: [AnimationChannel] = []
            unresolved.append([])
            // Without clips all animations play together; a clip may play one of them alone.
            if !document.animationClips.isEmpty { moved = MovedTargets() }
            for channel in document.animations[index].channels {
                let targets = targets(of: channel, in: scene)
                if targets.isEmpty, !unresolved.isEmpty {
                    unresolved[unresolved.count - 1].append(channel.target.text)
                }
                guard let sampler = sampler(of: channel, in: index) else { continue }
                note(targets, of: channel, in: scene)
                let fitting = fitting(targets, sampler, channel, in: scene)
                channels += fitting.compactMap { self.channel(sampler, moving: $0, in: scene) }
            }
            return channels
        }
        if targets.isExhausted { log.reportLimit(limits.nodes, "targets of channels pass more nodes than") }
        if targets.isCut {
            log.reportLimit(limits.channels, "channels of effects count for each material, which makes more than")
        }
        if let conversions {
            log.reportLimit(
                of: conversions.work, "curves in other units and axes than their targets hold more numbers than")
        }
        return channels
    }

    /// `nil` for a sampler without keys, and beyond the limit of conversions.
    private mutating func channel(
        _ sampler: SamplerPlace, moving target: AnimationTarget, in scene: Scene
    ) -> AnimationChannel? {
        guard let curve = document.animations[sampler.animation].samplers[sampler.sampler].curve else { return nil }
        let channel = AnimationChannel(target: target, curve: curve)
        guard conversions != nil else { return channel }
        let position = document.animations[sampler.animation].samplers[sampler.sampler].position
        return conversions?.converted(channel, ofSamplerAt: position, in: scene)
    }

    // It changes nothing: the compiler would else hand it a copy of the builder.
    private mutating func sampler(of channel: ColladaDocument.Channel, in animation: Int) -> SamplerPlace? {
        if let namesakes {
            let near =
                namesakes.near(channel.source.id, animation)
                ?? namesakes.near(channel.source.id.percentDecoded, animation)
            if let near { return near }
        }
        let place = samplersByID[idOf: channel.source] ?? samplersByID[channel.source.id.percentDecoded]
        return place.map { samplers[$0] }
    }

    private mutating func targets(of channel: ColladaDocument.Channel, in scene: Scene) -> [AnimationTarget] {
        guard let address = TargetAddress(channel.target.text) else {
            reportUnresolved(channel)
            return []
        }
        switch targets.find(address, in: scene, limit: max(1, limits.channels - channels)) {
        case .found(let found):
            channels += found.count
            reportMending(of: channel, address)
            return found
        case .instanced(let target, let way):
            guard repairs == .made || way.assumed.isEmpty else {
                reportUnresolved(channel)
                return []
            }
            channels += 1
            reportMending(of: channel, address)
            report(way, of: channel)
            return [target]
        case .wrongMember:
            report(
                .animationTargetMemberInvalid, channel,
                "\(channel.words) names a part that its element does not have")
            return []
        case .missing:
            reportUnresolved(channel)
            return []
        }
    }

    /// The targets, a rotation by its angle where one number is all that there is for it. What takes another count of
    /// numbers than the sampler gives is reported.
    private mutating func fitting(
        _ targets: [AnimationTarget], _ sampler: SamplerPlace, _ channel: ColladaDocument.Channel, in scene: Scene
    ) -> [AnimationTarget] {
        let sampler = document.animations[sampler.animation].samplers[sampler.sampler]
        // Without a key nothing is given that could misfit.
        guard sampler.span != nil, let width = sampler.width else { return targets }
        var fitting = targets
        var wanted: Int?
        for (place, target) in targets.enumerated() {
            guard let count = target.numbers(in: scene), count != width else { continue }
            wanted = count
            guard repairs == .made, width == 1, case .transform(let node, at: let at, .whole) = target,
                case .rotate = scene.nodes[node].transforms[at]
            else { continue }
            fitting[place] = .transform(node, at: at, .named(.angle))
        }
        if let wanted { reportMisfit(channel, wanted: wanted, width, isAngle: fitting != targets) }
        return fitting
    }

    // MARK: - What was wrong

    private mutating func report(
        _ code: FindingCode, _ channel: ColladaDocument.Channel, _ message: @autoclosure () -> String,
        arguments: @autoclosure () -> [Finding.Argument] = [], fix: @autoclosure () -> String? = nil,
        severity: Severity? = nil
    ) {
        log.add(
            code, at: Place(channel.target.position), message(),
            arguments: [.init("target", channel.target.text)] + arguments(), fix: fix(), severity: severity)
    }

    private mutating func reportMisfit(_ channel: ColladaDocument.Channel, wanted: Int, _ width: Int, isAngle: Bool) {
        report(
            .animationCountMismatch, channel,
            "\(channel.words) takes \(wanted) \(wanted == 1 ? "number" : "numbers"), its sampler gives \(width); \(isAngle ? "it is read as the angle" : "it moves nothing")",
            arguments: [.init("expected", "\(wanted)"), .init("count", "\(width)")],
            severity: isAngle ? .warning : nil)
    }

    private mutating func note(_ targets: [AnimationTarget], of channel: ColladaDocument.Channel, in scene: Scene) {
        var isMovedTwice = false  // by this channel and one before
        for target in targets where !moved.insert(target, in: scene) { isMovedTwice = true }
        guard isMovedTwice else { return }
        report(
            .animationDuplicateTarget, channel,
            "what \(channel.words) leads to is moved by an earlier channel too; where they overlap the later one counts"
        )
    }

    private mutating func reportMending(of channel: ColladaDocument.Channel, _ address: TargetAddress) {
        if address.hasHash {
            report(
                .quirkTargetHash, channel, "\(channel.words) begins with a #, which was passed over",
                fix: "write \(channel.target.text.dropFirst())")
        }
        switch targets.mending {
        case nil: break
        case .elementName:
            report(
                .quirkTargetByElement, channel,
                "\(channel.words) names an element that has no such sid; it was found by the element's name")
        case .member:
            report(
                .quirkTargetMember, channel,
                "\(channel.words) names a part of what has none; it was passed over")
        }
    }

    /// A scene's nodes are shared by their instances, so that one alone cannot be moved.
    private mutating func report(_ way: NodeSids.Way, of channel: ColladaDocument.Channel) {
        for (sid, candidates) in way.assumed {
            let which = candidates > 1 ? "the first of \(candidates) instances" : "the instance"
            report(
                .refByName, channel,
                "in \(channel.words) \(sid.quoted()) is no sid of a node or an instance; it is taken for that of \(which) behind which the rest is found",
                arguments: [.init("sid", sid)], severity: candidates > 1 ? .warning : .info)
        }
        switch way.passage {
        case .nothing, .instance: break
        case .sharedInstance:
            report(
                .animationTargetShared, channel,
                "\(channel.words) leads through one instance of a node that has several; all of them move")
        }
    }

    private mutating func reportUnresolved(_ channel: ColladaDocument.Channel) {
        guard !channel.target.isAbsent else { return }
        report(.animationTargetUnresolved, channel, "\(channel.words) leads to nothing that can be moved")
    }
}

extension ColladaDocument.Channel {
    /// What it moves, as messages name it.
    fileprivate var words: String { "the channel's target \(target.text.quoted())" }
}

extension AnimationTarget {
    /// How many numbers it takes; `nil` for one of which that is not known.
    fileprivate func numbers(in scene: Scene) -> Int? {
        switch self {
        case .transform(let node, at: let place, let member):
            guard scene.nodes.indices.contains(node.value), scene.nodes[node].transforms.indices.contains(place) else {
                return nil
            }
            return member.range(in: scene.nodes[node].transforms[place])?.count
        case .morphWeight(_, at: let place): return place == nil ? nil : 1
        case .camera: return 1
        case .material, .light: return nil
        }
    }
}

// The values of a curve are in the unit and axes of the animation that its sampler stands in; what they move is in those
// of its own place. Where the two differ, the keys and tangents are converted, as a matrix M to C·M·C⁻¹.

private struct ChannelConversions: DocumentSharing {
    /// Numbers that are converted: each new pair of a sampler and a way to convert it makes a new curve.
    private(set) var work: WorkBudget
    let shared: SharedDocument
    private let systems: AssetSystems
    private var curves: [Key: AnimationCurve] = [:]

    private struct Key: Hashable {
        let sampler: Int64
        let map: ComponentMap
    }

    /// `nil` where all documents are in one system: nothing is to convert.
    ///
    /// - Parameter factor: How often all numbers of the document's samplers may be converted.
    init?(_ shared: SharedDocument, _ systems: AssetSystems, factor: Int) {
        guard !systems.areUniform else { return nil }
        self.shared = shared
        self.systems = systems
        let samplers = shared.linked.document.animations.lazy.flatMap(\.samplers)
        work = WorkBudget(factor * samplers.reduce(0) { $0 + ($1.curve?.numberCount ?? 0) })
    }

    /// The channel in the units and axes of what it moves; `nil` beyond the limit.
    mutating func converted(
        _ channel: AnimationChannel, ofSamplerAt position: XMLPosition, in scene: Scene
    ) -> AnimationChannel? {
        let written = systems.system(at: position)
        let wanted: CoordinateSystem
        switch channel.target {
        case .transform(let node, _, _): wanted = systems.system(ofNode: node.value)
        case .camera, .light: wanted = systems.main
        case .morphWeight, .material: return channel
        }
        guard written != wanted,
            let conversion = channel.conversion(by: SystemChange(from: written, to: wanted), in: scene)
        else { return channel }
        guard let curve = curve(channel.curve, conversion.map, ofSamplerAt: position) else { return nil }
        return AnimationChannel(target: conversion.target, curve: curve)
    }

    private mutating func curve(
        _ curve: AnimationCurve, _ map: ComponentMap, ofSamplerAt position: XMLPosition
    ) -> AnimationCurve? {
        let key = Key(sampler: position.byte, map: map)
        if let known = curves[key] { return known }
        guard work.admits(curve.numberCount) else { return nil }
        let made = curve.mapped(by: map)
        curves[key] = made
        return made
    }
}

// Leads the channels of a document's animations to what they move.

import Diagnostics
import SceneModel
import XMLReader

struct ChannelBuilder {
    private let document: ColladaDocument
    private var targets: ChannelTargets
    /// Of each sampler, by its id; `nil` where it has none.
    private let curves: [String: AnimationCurve?]
    private(set) var log = FindingLog()
    private var channels = 0
    /// An effect's channels count once for each of its materials; beyond this many only for the first of them.
    private static let channelLimit = 1_000_000

    init(_ document: ColladaDocument, _ table: ReferenceTable) {
        self.document = document
        targets = ChannelTargets(document, table)
        var curves: [String: AnimationCurve?] = [:]
        var detacher = Detacher()
        for sampler in document.animations.lazy.flatMap(\.samplers) {
            guard let id = sampler.id, curves.index(forKey: id) == nil else { continue }
            curves.updateValue(sampler.curve?.detached(by: &detacher), forKey: id)
        }
        self.curves = curves
    }

    /// The channels of every animation, in the document's order; those that lead nowhere are told and left out.
    ///
    /// - Returns: For each animation its channels, empty where only figures were read.
    mutating func build(in scene: Scene) -> [[AnimationChannel]] {
        document.animations.map { animation in
            var channels: [AnimationChannel] = []
            for channel in animation.channels {
                let targets = targets(of: channel, in: scene)
                guard let curve = curve(of: channel) else { continue }
                channels += targets.map { AnimationChannel(target: $0, curve: curve) }
            }
            return channels
        }
    }

    private func curve(of channel: ColladaDocument.Channel) -> AnimationCurve? {
        let id = channel.source.id
        return (curves[id] ?? curves[id.percentDecoded]) ?? nil
    }

    private mutating func targets(of channel: ColladaDocument.Channel, in scene: Scene) -> [AnimationTarget] {
        guard let address = TargetAddress(channel.target.text) else {
            tellUnresolved(channel)
            return []
        }
        switch targets.find(address, in: scene, limit: max(1, Self.channelLimit - channels)) {
        case .found(let found):
            channels += found.count
            return found
        case .wrongMember:
            tellWrongPart(channel)
            return []
        case .missing:
            tellUnresolved(channel)
            return []
        }
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

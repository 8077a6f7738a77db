// The values of a curve are in the unit and axes of the animation that its sampler stands in; what they move is in those
// of its own place. Where the two differ, the keys and tangents are converted, as a matrix M to C·M·C⁻¹.

import SceneModel
import XMLReader

struct ChannelConversions: DocumentSharing {
    /// Numbers that are converted at most: each new pair of a sampler and a way to convert it makes a new curve.
    let limit: Int
    private(set) var isExhausted = false  // a fact, for the finding
    let shared: SharedDocument
    private let systems: AssetSystems
    private var numbers = 0
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
        limit = factor * samplers.reduce(0) { $0 + ($1.curve?.numberCount ?? 0) }
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
        guard let loaded = channel.curve.loaded(), let curve = curve(loaded, conversion.map, ofSamplerAt: position)
        else {
            return nil
        }
        return AnimationChannel(target: conversion.target, curve: curve)
    }

    private mutating func curve(
        _ curve: AnimationCurve, _ map: ComponentMap, ofSamplerAt position: XMLPosition
    ) -> AnimationCurve? {
        let key = Key(sampler: position.byte, map: map)
        if let known = curves[key] { return known }
        numbers += curve.numberCount
        guard numbers <= limit else {
            isExhausted = true
            return nil
        }
        let made = curve.mapped(by: map)
        curves[key] = made
        return made
    }
}

// Weights, cameras and lights as they are at the time moved to.

extension PoseEvaluator {
    /// The weights of a morph's targets at the time moved to, those that no channel moves as the document has them.
    /// Empty for what is no morph.
    public func morphWeights(of controller: SceneIndex<Controller>) -> [Double] {
        guard var weights = restWeights[controller.value] else { return [] }
        for channel in weightChannels[controller.value] ?? [] {
            guard case .morphWeight(_, at: let place) = channels[channel].target,
                let values = values(ofChannel: channel)
            else { continue }
            for (index, value) in zip((place ?? 0)..., values) where index < weights.count { weights[index] = value }
        }
        return weights
    }

    /// The values of the last channel with a target that is no transform; `nil` when none moves it.
    public func values(of target: AnimationTarget) -> ArraySlice<Double>? {
        parameterChannels[target].flatMap { values(ofChannel: $0) }
    }

    /// A camera of the scene at the time moved to.
    public func camera(_ index: SceneIndex<Camera>, in scene: Scene) -> Camera {
        var camera = scene.cameras[index]
        for parameter in AnimationTarget.CameraParameter.allCases {
            if let value = values(of: .camera(index, parameter))?.first { camera.set(parameter, to: value) }
        }
        return camera
    }

    /// A light of the scene at the time moved to.
    public func light(_ index: SceneIndex<Light>, in scene: Scene) -> Light {
        var light = scene.lights[index]
        for channel in lightChannels[index.value] ?? [] {
            guard case .light(_, let parameter, let member) = channels[channel].target,
                let values = values(ofChannel: channel)
            else { continue }
            light.set(parameter, member, to: Array(values))
        }
        return light
    }
}

extension Camera {
    fileprivate mutating func set(_ parameter: AnimationTarget.CameraParameter, to value: Double) {
        switch (parameter, projection) {
        case (.xfov, .perspective(_, let y)): projection = .perspective(xfov: value, yfov: y)
        case (.yfov, .perspective(let x, _)): projection = .perspective(xfov: x, yfov: value)
        case (.xmag, .orthographic(_, let y)): projection = .orthographic(xmag: value, ymag: y)
        case (.ymag, .orthographic(let x, _)): projection = .orthographic(xmag: x, ymag: value)
        case (.znear, _): near = value
        case (.zfar, _): far = value
        case (.aspectRatio, _): aspectRatio = value
        case (.xfov, _), (.yfov, _), (.xmag, _), (.ymag, _): break
        }
    }
}

extension Light {
    fileprivate mutating func set(
        _ parameter: AnimationTarget.LightParameter, _ member: AnimationMember, to values: [Double]
    ) {
        if parameter == .color {
            var color = color ?? [1, 1, 1]
            guard let range = member.range(inVectorOf: 4) else { return }
            for (lane, value) in zip(range, values) where lane < 3 { color[lane] = value }
            self.color = color
            return
        }
        guard let value = values.first else { return }
        switch source {
        case .ambient, .directional, nil: break
        case .point(var attenuation):
            attenuation.set(parameter, to: value)
            source = .point(attenuation)
        case .spot(var attenuation, var falloff):
            attenuation.set(parameter, to: value)
            if parameter == .falloffAngle { falloff.angle = value }
            if parameter == .falloffExponent { falloff.exponent = value }
            source = .spot(attenuation, falloff)
        }
    }
}

extension Light.Attenuation {
    fileprivate mutating func set(_ parameter: AnimationTarget.LightParameter, to value: Double) {
        switch parameter {
        case .constantAttenuation: constant = value
        case .linearAttenuation: linear = value
        case .quadraticAttenuation: quadratic = value
        case .color, .falloffAngle, .falloffExponent: break
        }
    }
}

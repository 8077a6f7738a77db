import DaeScene

/// How a texture is sampled, in glTF's numbers (those of OpenGL).
struct GLTFSampler: Hashable {
    private let wrapS: Int
    private let wrapT: Int
    private let magFilter: Int?
    private let minFilter: Int?
    /// Whether the document asks for something that has no number.
    let isApproximate: Bool  // a finding about the document

    init(_ sampler: Material.Texture.Sampler) {
        let (s, t) = (Self.wrap(sampler.wrapS), Self.wrap(sampler.wrapT))
        wrapS = s.number
        wrapT = t.number
        magFilter = sampler.magFilter.map { Self.magnification($0) }
        minFilter = sampler.minFilter.map { Self.minification($0, sampler.mipFilter) }
        isApproximate =
            !s.isExact || !t.isExact || sampler.mipBias.map { $0 != 0 } == true
            || sampler.mipMinLevel.map { $0 > 0 } == true
    }

    var object: JSONObject {
        JSONObject { object in
            if let magFilter { object.put("magFilter", magFilter) }
            if let minFilter { object.put("minFilter", minFilter) }
            object.put("wrapS", wrapS)
            object.put("wrapT", wrapT)
        }
    }

    private static func wrap(_ wrap: Material.Texture.Wrap?) -> (number: Int, isExact: Bool) {
        switch wrap {
        case .some(.wrap), nil: (10497, true)
        case .some(.mirror): (33648, true)
        case .some(.clamp): (33071, true)
        case .some(.none), .some(.border): (33071, false)
        case .some(.mirrorOnce): (33648, false)
        }
    }

    private static func magnification(_ filter: Material.Texture.Filter) -> Int {
        switch filter {
        case .nearest, .nearestMipmapNearest, .nearestMipmapLinear: 9728
        case .none, .linear, .anisotropic, .linearMipmapNearest, .linearMipmapLinear: 9729
        }
    }

    private static func minification(_ filter: Material.Texture.Filter, _ mip: Material.Texture.Filter?) -> Int {
        switch (filter, mip) {
        case (.nearestMipmapNearest, _), (.nearest, .nearest): 9984
        case (.linearMipmapNearest, _), (.linear, .nearest), (.anisotropic, .nearest): 9985
        case (.nearestMipmapLinear, _), (.nearest, .linear): 9986
        case (.linearMipmapLinear, _), (.linear, .linear), (.anisotropic, .linear), (.anisotropic, _): 9987
        case (.nearest, _): 9728
        case (.linear, _), (.none, _): 9729
        }
    }
}

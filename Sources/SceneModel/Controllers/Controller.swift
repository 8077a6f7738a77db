/// What deforms a mesh. A controller may stand on another one: a skin over a morph, or a morph over a skin.
public struct Controller: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        case skin(Skin)
        case morph(Morph)
    }
    /// What a controller deforms.
    public enum Source: Sendable, Equatable {
        case geometry(SceneIndex<Geometry>)
        case controller(SceneIndex<Controller>)
    }
    public var id: String?
    public var name: String?
    /// `nil` when it is neither a skin nor a morph.
    public var kind: Kind?
    /// `nil` when it leads nowhere, or back to this controller.
    public var source: Source?
    /// The mesh at the end of its chain of sources; `nil` when there is none.
    public var base: SceneIndex<Geometry>?

    public init(id: String?, name: String?, kind: Kind?, source: Source?, base: SceneIndex<Geometry>?) {
        self.id = id
        self.name = name
        self.kind = kind
        self.source = source
        self.base = base
    }

    /// Moves the mesh into the skin's bind shape; identity for a morph.
    public var bindShape: Matrix4 {
        switch kind {
        case .skin(let skin): skin.bindShape
        case .morph, nil: .identity
        }
    }
}

extension Scene {
    /// The controllers from the given one down to its mesh, itself first; each once, even where sources are a cycle.
    public func chain(from controller: SceneIndex<Controller>) -> [SceneIndex<Controller>] {
        var chain: [SceneIndex<Controller>] = []
        var seen = Set<Int>()
        var next = Optional(controller)
        while let index = next, controllers.indices.contains(index.value), seen.insert(index.value).inserted {
            chain.append(index)
            switch controllers[index].source {
            case .controller(let below): next = below
            case .geometry, nil: next = nil
            }
        }
        return chain
    }

    /// The first skin of a controller's chain, whose joints its instances are bound to; `nil` without one.
    public func skin(of controller: SceneIndex<Controller>) -> Skin? {
        for index in chain(from: controller) {
            switch controllers[index].kind {
            case .skin(let skin): return skin
            case .morph, nil: continue
            }
        }
        return nil
    }
}

import DaeScene

extension Controller {
    /// A skin without joints.
    static func skin(over mesh: Int, bindShape: Matrix4 = .identity) -> Controller {
        Controller(
            id: nil, name: nil,
            kind: .skin(Skin(bindShape: bindShape, joints: [], inverseBinds: [], influences: .none)),
            source: .geometry(SceneIndex(mesh)), base: SceneIndex(mesh))
    }
}

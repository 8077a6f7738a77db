public import Diagnostics
public import SceneModel

/// A sampler with its curve, at its animation's end tag, or at the document's where its sources stand elsewhere.
public struct SamplerUnit {
    public let curve: AnimationCurve
    /// What the animation's channels move by it, as they are written: `node/rotateX.ANGLE`.
    public let targets: [String]
    private let findPlace: () -> Place

    init(curve: AnimationCurve, targets: [String], place: @escaping () -> Place) {
        self.curve = curve
        self.targets = targets
        findPlace = place
    }

    public var place: Place { findPlace() }
}

/// What a change is about, in the terms of who cares; the raw value is the name in reports and on the command line.
public enum FidelityClass: String, Sendable, CaseIterable {
    /// What meshes are made of, and what bends them.
    case geometry
    case node
    case animation
    /// How surfaces look, but for the images themselves.
    case material
    case image
    case light
    case camera
    /// Physics, kinematics, and whatever else is no part of what is shown.
    case metadata
}

extension FidelitySubject {
    public var fidelityClass: FidelityClass {
        switch self {
        case .polygons, .vertices, .lineStrips, .corners, .normals, .tangents, .vertexColors, .customInputs,
            .otherGeometry, .emptyMeshes, .influences, .weights, .joints, .morphTargets, .morphNormals, .morphTangents,
            .controllerChains:
            .geometry
        case .shear, .instancedNodes: .node
        case .curves, .matrixKeys, .animations, .channels, .unresolvedChannels, .unplayedAnimations, .behaviors:
            .animation
        case .shading, .specular, .reflection, .opacity, .diffuseAlpha, .ambient, .textures, .textureCoordinates,
            .samplers, .materialExtras:
            .material
        case .images: .image
        case .lights, .lightFalloff: .light
        case .cameras: .camera
        case .physics, .kinematics: .metadata
        }
    }
}

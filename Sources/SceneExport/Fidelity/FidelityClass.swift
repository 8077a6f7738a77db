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
        case .polygons, .vertices, .lineStrips, .corners, .normals, .winding, .tangents, .vertexColors, .customInputs,
            .otherGeometry, .emptyMeshes, .missingMeshes, .influences, .weights, .joints, .morphTargets, .morphNormals,
            .morphTangents,
            .morphColors, .controllerChains, .textureCoordinateNumbers:
            .geometry
        case .shear, .instancedNodes, .missingNodes, .lastRows, .visibility: .node
        case .curves, .matrixKeys, .farMotion, .animations, .channels, .unresolvedChannels, .unplayedAnimations,
            .behaviors, .keyTimes, .moment:
            .animation
        case .shading, .specular, .reflection, .opacity, .diffuseAlpha, .ambient, .diffuse, .textures, .textureTurns,
            .textureCoordinates, .samplers, .materialExtras, .unboundMaterials:
            .material
        case .images: .image
        case .lights, .lightFalloff, .spotFalloff, .missingLights: .light
        case .cameras, .missingCameras: .camera
        case .physics, .kinematics: .metadata
        }
    }
}

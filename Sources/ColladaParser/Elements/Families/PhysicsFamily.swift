extension ElementFamily {
    static let physics = ElementFamily(
        units: [.physicsMaterial, .forceField, .physicsModel, .physicsScene],
        texts: [
            .angularVelocity, .damping, .density, .dynamic, .dynamicFriction, .enabled, .equation, .gravity,
            .halfExtents, .height, .hollow, .inertia, .interpenetrate, .mass, .max, .min, .radius, .radius1, .radius2,
            .restitution, .size, .staticFriction, .stiffness, .targetValue, .timeStep, .velocity,
        ])
}

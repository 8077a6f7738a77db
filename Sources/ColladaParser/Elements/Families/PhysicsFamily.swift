extension ElementFamily {
    static let physics = ElementFamily(
        units: [.physicsScene],
        skipped: [.physicsScene, .libraryPhysicsModels, .libraryPhysicsMaterials, .libraryForceFields])
}

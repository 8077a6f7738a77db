extension ElementFamily {
    static let kinematics = ElementFamily(
        units: [.kinematicsScene],
        skipped: [
            .kinematicsScene, .libraryKinematicsModels, .libraryArticulatedSystems, .libraryJoints, .libraryFormulas,
        ])
}

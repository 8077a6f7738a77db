extension ElementFamily {
    static let kinematics = ElementFamily(
        units: [.joint, .formula, .kinematicsModel, .articulatedSystem, .kinematicsScene],
        texts: [.axis, .bool, .int, .sidref], extended: [.kinematicsModel, .articulatedSystem])
}

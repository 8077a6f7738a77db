// Frames of links, joints and tools are all taken into the new system, and the axes of joints turn with them; so an axis
// stands where it stood by the same number, in another unit where it slides.

extension KinematicLink {
    package mutating func convert(by change: SystemChange) {
        guard !change.isIdentity else { return }
        matrix = change.converted(matrix)
        for index in attachments.indices {
            attachments[index].matrix = change.converted(attachments[index].matrix)
            attachments[index].end = attachments[index].end.map { change.converted($0) }
        }
    }
}

extension JointAxis {
    package func converted(by change: SystemChange) -> JointAxis {
        guard !change.isIdentity else { return self }
        var axis = self
        axis.direction = change.converted(direction, .axisDirection)
        let along = Quantity(alongAxisOf: kind)
        axis.limits = limits.map { limits in
            JointLimits(
                min: limits.min.map { change.converted($0, along) }, max: limits.max.map { change.converted($0, along) }
            )
        }
        return axis
    }
}

extension EffectorSpeeds {
    package func converted(by change: SystemChange) -> EffectorSpeeds {
        guard !change.isIdentity else { return self }
        func converted(_ pair: SIMD2<Double>?) -> SIMD2<Double>? {
            pair.map { SIMD2(change.converted($0.x, .effectorWay), $0.y) }
        }
        var speeds = EffectorSpeeds()
        speeds.speed = converted(speed)
        speeds.acceleration = converted(acceleration)
        speeds.deceleration = converted(deceleration)
        speeds.jerk = converted(jerk)
        return speeds
    }
}

extension KinematicFrame {
    package mutating func convert(by change: SystemChange) { matrix = change.converted(matrix) }
}

extension Manipulator {
    package mutating func convert(by change: SystemChange) {
        tool = change.converted(tool)
        direction = direction.map { change.converted($0, .toolDirection) }
    }
}

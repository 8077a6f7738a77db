import Testing

@testable import ColladaParser

@Suite struct PackedTargetTests {
    private static func targets(at place: Int) -> [ReferenceTable.Target] {
        [
            .geometry(place), .controller(place), .effect(place), .material(place), .image(place), .camera(place),
            .light(place), .node(place), .visualScene(place), .animation(place), .animationClip(place),
        ]
            + [
                .physicsMaterial(place), .forceField(place), .physicsModel(place), .physicsScene(place), .joint(place),
                .kinematicsModel(place), .articulatedSystem(place), .kinematicsScene(place), .formula(place),
            ].map { ReferenceTable.Target.mechanics($0) }
    }

    @Test(arguments: [0, 1, 7, Int(Int32.max), Int(UInt32.max)])
    func everyTargetComesOutAsItWentIn(place: Int) {
        let targets = Self.targets(at: place)
        #expect(Set(targets).count == 20)
        #expect(targets.map { PackedTarget($0).target } == targets)
        #expect(MemoryLayout<PackedTarget>.stride == 8)
    }
}

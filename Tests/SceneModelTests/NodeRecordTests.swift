import Testing

@testable import SceneModel

@Suite struct NodeRecordTests {
    private static let transforms: [Transform] = [
        .matrix(.identity),
        .matrix(Matrix4(columns: ([1, 2, 3, -0.0], [4, 5, 6, 0], [7, 8, 9, 0], [10, 11, 12, 1]))),
        .matrix(Matrix4(columns: ([1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]))),
        .translate([1, 2, 3]), .rotate(axis: [0, 0, 1], degrees: 90), .scale([2, 2, 2]),
        .skew(degrees: 30, from: [1, 0, 0], along: [0, 1, 0]),
        .lookat(eye: [1, 1, 1], interest: .zero, up: [0, 0, 1]),
    ]

    private func record(sid: String? = "sid") -> NodeRecord {
        NodeRecord(
            id: "an-id-that-needs-memory", name: "name", sid: sid, kind: .joint, transforms: Self.transforms,
            transformSIDs: ["a", nil])
    }

    @Test func itGivesWhatItWasMadeOf() {
        let record = record()
        #expect(record.id == "an-id-that-needs-memory" && record.name == "name" && record.sid == "sid")
        #expect(record.kind == .joint && record.transformSIDs == ["a", nil])
        #expect(record.transforms == Self.transforms && record.transformCount == Self.transforms.count)
        #expect(self.record(sid: nil).sid == nil)
        var one: [Transform] = []
        record.forEachTransform { one.append($0) }
        #expect(one == Self.transforms)
    }

    @Test(arguments: transforms)
    func aMatrixByItselfIsGivenAsItIs(transform: Transform) {
        let alone = NodeRecord(id: nil, name: nil, sid: nil, kind: .node, transforms: [transform], transformSIDs: [])
        // The second has a −0 in its last row, and the third no 0 0 0 1.
        let expected = transform == Self.transforms[0] ? Matrix4.identity : nil
        #expect(alone.soleAffineMatrix == expected)
        #expect(record().soleAffineMatrix == nil)
    }

    @Test func sidsThatAreEmptyDoNotCount() {
        func record(_ own: String?, _ sids: [String?]) -> NodeRecord {
            NodeRecord(id: nil, name: nil, sid: own, kind: .node, transforms: Self.transforms, transformSIDs: sids)
        }
        #expect(record(nil, ["a", nil, "", "b"]).transformSIDCount == 2)
        #expect(record("own", ["a"]).transformSIDCount == 1)
        #expect(record(nil, []).transformSIDCount == 0)
        #expect(record("own", []).hasSID && !record("", []).hasSID && !record(nil, []).hasSID)
    }

    @Test func aChangeIsSeenByNobodyElse() {
        let before = record()
        var changes: [NodeRecord] = []
        for change in [
            { $0.id = nil }, { $0.name = "other" }, { $0.sid = nil }, { $0.kind = .node }, { $0.transforms = [] },
            { $0.transformSIDs = [] },
        ] as [(inout NodeRecord) -> Void] {
            var changed = before
            change(&changed)
            #expect(changed != before)
            changes.append(changed)
        }
        #expect(before == record())
        #expect(changes[0].id == nil && changes[1].name == "other" && changes[2].sid == nil)
        #expect(changes[2].transformSIDs == ["a", nil] && changes[5].sid == "sid")
        #expect(changes[3].kind == .node && changes[4].transforms.isEmpty && changes[4].matrix == .identity)
    }

    @Test func equalIsWhatHasEqualTransforms() {
        var other = record()
        other.transforms = Self.transforms.map { $0 }
        #expect(other == record())
        other.transforms[1] = .matrix(Matrix4(columns: ([1, 2, 3, 0], [4, 5, 6, 0], [7, 8, 9, 0], [10, 11, 12, 1])))
        #expect(other == record())
        other.transforms.removeLast()
        #expect(other != record())
    }
}

import Testing

@testable import DaeScene

@Suite struct TransformListTests {
    private static let transforms: [Transform] = [
        .matrix(.identity),
        .matrix(Matrix4(columns: ([1, 2, 3, -0.0], [4, 5, 6, 0], [7, 8, 9, 0], [10, 11, 12, 1]))),
        .matrix(Matrix4(columns: ([1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]))),
        .translate([1, 2, 3]), .rotate(axis: [0, 0, 1], degrees: 90), .scale([2, 2, 2]),
        .skew(degrees: 30, from: [1, 0, 0], along: [0, 1, 0]),
        .lookat(eye: [1, 1, 1], interest: .zero, up: [0, 0, 1]),
    ]

    @Test func itGivesWhatItWasMadeOf() {
        let list = TransformList(Self.transforms)
        #expect(list.array == Self.transforms && list.count == Self.transforms.count && !list.isEmpty)
        #expect(list.matrix == Self.transforms.matrix)
        var appended = TransformList()
        #expect(appended.isEmpty && appended.array.isEmpty && appended.matrix == .identity)
        for transform in Self.transforms { appended.append(transform) }
        #expect(appended == list)
        let node = Node(id: nil, name: nil, sid: nil, kind: .node, transforms: Self.transforms)
        #expect(node.transforms == Self.transforms && node.matrix == list.matrix)
    }

    @Test(arguments: transforms)
    func oneByItselfIsGivenAsItIs(transform: Transform) {
        let alone = TransformList([transform])
        #expect(alone.array == [transform] && alone.matrix == transform.matrix)
    }

    @Test func whatHasNoDirectionIsLeftOut() {
        let still = Transform.rotate(axis: .zero, degrees: 30)
        #expect(TransformList([still, .scale([2, 2, 2]), still]).matrix == Transform.scale([2, 2, 2]).matrix)
    }

    @Test func equalIsWhatHasEqualTransforms() {
        let list = TransformList(Self.transforms)
        var others = Self.transforms
        others[1] = .matrix(Matrix4(columns: ([1, 2, 3, 0], [4, 5, 6, 0], [7, 8, 9, 0], [10, 11, 12, 1])))
        #expect(TransformList(others) == list)
        #expect(TransformList(others.dropLast()) != list)
    }
}

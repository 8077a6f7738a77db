import Testing

@testable import DaeScene

@Suite struct SystemChangeTests {
    private static let axes = Scene.UpAxis.allCases.flatMap { from in Scene.UpAxis.allCases.map { (from, $0) } }

    private func change(_ from: Scene.UpAxis, _ to: Scene.UpAxis) -> SystemChange {
        SystemChange(
            from: CoordinateSystem(metersPerUnit: 0.25, upAxis: from),
            to: CoordinateSystem(metersPerUnit: 2, upAxis: to))
    }

    private static let transforms: [Transform] = [
        .translate([8, 16, 24]), .rotate(axis: [1, 2, 3], degrees: 90), .scale([2, 4, 8]),
        .skew(degrees: 20, from: [1, 0, 0], along: [0, 0, 1]),
        .matrix(
            Matrix4(columns: ([1, 2, 3, 0], [4, 5, 6, 0], [7, 8, 9, 0], [8, 16, 24, 1]))),
    ]

    /// Turned by its map number by number, a transform is C·M·C⁻¹.
    @Test(arguments: axes)
    func numbersGoWhereTheMatrixGoes(axes: (Scene.UpAxis, Scene.UpAxis)) throws {
        let change = change(axes.0, axes.1)
        let back = change.target.conversion(to: change.source)
        for transform in Self.transforms {
            let given = try #require(transform.matrix)
            let expected = change.source.conversion(to: change.target) * given * back
            let found = try #require(converted(transform, change).matrix)
            for (one, two) in zip(found.rows, expected.rows) { #expect(abs(one - two) < 1e-12, "\(transform)") }
            #expect(change.converted(given).rows.elementsEqual(expected.rows) { abs($0 - $1) < 1e-12 })
        }
    }

    private func converted(_ transform: Transform, _ change: SystemChange) -> Transform {
        let map = ComponentMap(for: transform, by: change)
        var numbers = SIMD16<Double>()
        for place in map.places.indices {
            numbers[map.places[place]] = transform.components[place] * map.factors[place]
        }
        return Transform(transform.kind, numbers)
    }

    @Test(arguments: axes)
    func anInnerSpaceMayKeepItsAxes(axes: (Scene.UpAxis, Scene.UpAxis)) throws {
        let change = change(axes.0, axes.1)
        let matrix = Transform.translate([8, 16, 24]).matrix ?? .identity
        let kept = change.convertedKeepingInnerAxes(matrix)
        // Of a point along y, a metre away on both sides.
        let expected = change.source.conversion(to: change.target).transform(point: [8, 16 + 4, 24])
        #expect(kept.transform(point: [0, 0.5, 0]) == expected)
    }

    @Test func lengthsCountAsOftenAsTheyAreAFactor() {
        let change = change(.z, .y)
        #expect(change.converted(8, .length) == 1)
        #expect(change.converted(8, .plain) == 8)
        #expect(change.converted(1, .linearAttenuation) == 8)
        #expect(change.converted(1, .quadraticAttenuation) == 64)
        #expect(change.converted(1, .density) == 512)
        #expect(change.converted([64, 128, 192], .inertia) == [1, 3, 2])
        #expect(change.converted([8, 16, 24], .gravity) == [1, 3, -2])
        #expect(change.converted([8, 16, 24], .angularVelocity) == [8, 24, -16])
        #expect(change.converted(8, Quantity(alongAxisOf: .revolute)) == 8)
    }

    @Test func aTurnedZeroIsNoNegativeZero() {
        #expect(change(.z, .y).converted([1, 0, 1], .gravity).z.sign == .plus)
        #expect(change(.z, .y).converted(.identity).rows.allSatisfy { $0.sign == .plus })
    }

    // MARK: - Channels

    private func scene(_ transform: Transform) -> Scene {
        var scene = Scene()
        scene.nodes = [Node(id: "n", name: nil, sid: nil, kind: .node, transforms: [transform])]
        return scene
    }

    private func channel(_ member: AnimationMember, width: Int = 1) -> AnimationChannel {
        AnimationChannel(
            target: .transform(SceneIndex(0), at: 0, member),
            curve: AnimationCurve(
                times: [0], values: [Double](repeating: 8, count: width), width: width, interpolationNames: ["LINEAR"]))
    }

    private static let members: [(Transform, AnimationMember, AnimationMember, Double)] = [
        (transforms[0], .named(.x), .named(.x), 1), (transforms[0], .named(.y), .named(.z), -1),
        (transforms[0], .named(.z), .named(.y), 1), (transforms[0], .index(1), .index(2), -1),
        (transforms[1], .named(.y), .named(.z), -8), (transforms[2], .named(.y), .named(.z), 8),
        (transforms[3], .index(6), .index(5), 8),
        (transforms[4], .cell(column: 3, row: 1), .cell(column: 3, row: 2), -1),
        (transforms[4], .cell(column: 1, row: 0), .cell(column: 2, row: 0), -8),
        (transforms[4], .index(13), .index(14), -64),
    ]

    @Test(arguments: members.indices)
    func aChannelOfOnePartMovesThePartThatItBecomes(index: Int) throws {
        let (transform, member, expected, value) = Self.members[index]
        let channel = channel(member)
        let conversion = try #require(channel.conversion(by: change(.z, .y), in: scene(transform)))
        #expect(conversion.target == .transform(SceneIndex(0), at: 0, expected))
        #expect(channel.curve.mapped(by: conversion.map).value(at: 0) == [value])
    }

    @Test func whatDependsOnNeitherUnitNorAxesStays() {
        let turned = channel(.named(.angle))
        #expect(turned.conversion(by: change(.z, .y), in: scene(Self.transforms[1])) == nil)
        #expect(channel(.whole).conversion(by: change(.z, .y), in: scene(Self.transforms[0])) == nil)
        let same = SystemChange(from: CoordinateSystem(), to: CoordinateSystem())
        #expect(channel(.named(.x)).conversion(by: same, in: scene(Self.transforms[0])) == nil)
        let weight = AnimationChannel(target: .morphWeight(SceneIndex(0), at: 0), curve: turned.curve)
        #expect(weight.conversion(by: change(.z, .y), in: Scene()) == nil)
        let fov = AnimationChannel(target: .camera(SceneIndex(0), .yfov), curve: turned.curve)
        #expect(fov.conversion(by: change(.z, .y), in: Scene()) == nil)
    }

    /// Each layout of tangents, at a time between two keys.
    @Test(arguments: [(3, 3), (4, 4), (6, 6)])
    func tangentsGoWithTheirValues(incomingStride: Int, stride: Int) throws {
        let numbers = (0..<2 * stride).map { Double($0) / 4 }
        let curve = AnimationCurve(
            times: [0, 1], values: [0, 8, 16, 24, 0, 8], width: 3, interpolationNames: ["BEZIER", "BEZIER"],
            tangents: AnimationTangents(
                incoming: numbers, outgoing: numbers, incomingStride: incomingStride, outgoingStride: stride))
        let channel = AnimationChannel(target: .transform(SceneIndex(0), at: 0, .whole), curve: curve)
        let conversion = try #require(channel.conversion(by: change(.z, .y), in: scene(Self.transforms[0])))
        let mapped = curve.mapped(by: conversion.map)
        for time in [0, 0.3, 0.5, 0.9, 1] {
            let (old, new) = (curve.value(at: time), mapped.value(at: time))
            for (one, two) in zip(new, [old[0] / 8, old[2] / 8, -old[1] / 8]) { #expect(abs(one - two) < 1e-12) }
        }
    }
}

import DaeScene
import TestSupport
import Testing

@Suite struct TransformTests {
    // Vectors as arrays: arguments of 32-byte alignment abort in the task allocator of Swift 6.3.
    private static let turns: [([Double], Double, [Double])] = [
        ([0, 0, 1], 90.0, [0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
        ([0, 0, 5], 90, [0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
        ([0, 0, 1], -270, [0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
        ([0, 0, 1], 450, [0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
        ([0, 0, -1], -90, [0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
        ([1, 0, 0], 90, [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1]),
        ([1, 0, 0], -90, [1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1]),
        ([0, 1, 0], 90, [0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 0, 1]),
        ([0, 1, 0], 180, [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1]),
        ([0, 1, 0], -180, [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1]),
        ([0.3, 2, 1], 360, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
    ]

    private static let blindViewers: [([Double], [Double], [Double])] = [
        ([1, 2, 3], [1, 2, 3], [0, 1, 0]), ([0, 0, 0], [0, 0, 0], [0, 0, 0]), ([1, 1, 1], [1, 1, .nan], [0, 1, 0]),
    ]

    /// Viewers whose up says nothing.
    private static let rolling: [([Double], [Double], [Double])] = [
        ([0, 0, 5], [0, 0, 0], [0, 0, 1]), ([0.1, 0.2, 0.3], [0.4, 0.8, 1.2], [0.7, 1.4, 2.1]),
        ([0, 0, 5], [0, 0, 0], [0, 0, 0]), ([1, 1, 1], [0, 0, 0], [-3, -3, -3]),
        ([0, 0, 0], [0, 1000, 0], [0, 1, 0]),
        ([0, 0, 0], [0, 0, 1], [0, 0, 1]), ([0, 0, 0], [1e-12, 0, 1], [0, 0, 1]), ([0, 3, 0], [0, -2, 0], [0, 1, 0]),
    ]

    private static let impossibleSkews: [(Double, [Double], [Double])] = [
        (10.0, [0, 0, 0], [1, 0, 0]), (10, [0, 1, 0], [0, 0, 0]), (10, [1, 0, 0], [2, 0, 0]),
        (10, [0.1, 0.2, 0.3], [0.7, 1.4, 2.1]), (90, [0, 1, 0], [1, 0, 0]), (120, [0, 1, 0], [1, 0, 0]),
        (45, [1, 1, 0], [1, 0, 0]), (-90, [0, 1, 0], [1, 0, 0]), (.nan, [0, 1, 0], [1, 0, 0]),
    ]

    private func rows(_ transform: Transform) -> [Double]? {
        // Minus zero is zero.
        transform.matrix?.rows.map { $0 + 0 }
    }

    private func isClose(_ left: SIMD3<Double>, _ right: SIMD3<Double>, _ tolerance: Double = 1e-12) -> Bool {
        (0..<3).allSatisfy { abs(left[$0] - right[$0]) <= tolerance }
    }

    // MARK: - Matrices

    @Test func sixteenValuesAreReadRowByRow() throws {
        let values = (1...16).map(Double.init)
        let matrix = try #require(Matrix4(rows: values))
        #expect(matrix.columns.0 == [1, 5, 9, 13])
        #expect(matrix.columns.3 == [4, 8, 12, 16])
        #expect(matrix.rows == values)
        #expect(Matrix4(rows: values.dropLast()) == nil)
        #expect(Matrix4(rows: values + [17]) == nil)
        #expect(!matrix.isAffine)
        #expect(Matrix4.identity.isAffine)
    }

    @Test func aProductAppliesItsRightFactorFirst() throws {
        let move = try #require(Transform.translate([1, 2, 3]).matrix)
        let grow = try #require(Transform.scale([2, 3, 4]).matrix)
        #expect((move * grow).transform(point: [1, 1, 1]) == [3, 5, 7])
        #expect((grow * move).transform(point: [1, 1, 1]) == [4, 9, 16])
        #expect(move * .identity == move)
        #expect(.identity * move == move)
        #expect((grow * move).rows == [2, 0, 0, 2, 0, 3, 0, 6, 0, 0, 4, 12, 0, 0, 0, 1])
    }

    @Test func aMatrixIsTakenAsItIsButForItsLastRow() throws {
        let given = try #require(Matrix4(rows: (0..<16).map(Double.init)))
        #expect(Transform.matrix(given).matrix?.rows == (0..<12).map(Double.init) + [0, 0, 0, 1])
    }

    @Test func aTranslationAndAScaleAreWhereTheyBelong() {
        #expect(rows(.translate([1, 2, 3])) == [1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3, 0, 0, 0, 1])
        #expect(rows(.scale([1, 2, -3])) == [1, 0, 0, 0, 0, 2, 0, 0, 0, 0, -3, 0, 0, 0, 0, 1])
    }

    // MARK: - Rotations

    @Test(arguments: Self.turns)
    func quarterTurnsAreExact(turn: (axis: [Double], degrees: Double, expected: [Double])) {
        let (axis, degrees, expected) = (SIMD3(turn.axis), turn.degrees, turn.expected)
        #expect(rows(.rotate(axis: axis, degrees: degrees)) == expected)
        #expect(Transform.rotate(axis: axis, degrees: degrees).matrix?.keepsBoxes == true)
    }

    @Test func aThirdOfATurnAboutTheDiagonalExchangesTheAxes() throws {
        let matrix = try #require(Transform.rotate(axis: [1, 1, 1], degrees: 120).matrix)
        #expect(isClose(matrix.transform(point: [1, 0, 0]), [0, 1, 0]))
        #expect(isClose(matrix.transform(point: [0, 1, 0]), [0, 0, 1]))
        #expect(isClose(matrix.transform(point: [0, 0, 1]), [1, 0, 0]))
    }

    @Test func aRotationKeepsLengthsItsAxisAndItsHand() throws {
        var random = SeededNumbers(seed: 5)
        for _ in 0..<200 {
            let axis = SIMD3<Double>.random(in: -2...2, using: &random)
            let degrees = Double.random(in: -1000...1000, using: &random)
            let matrix = try #require(Transform.rotate(axis: axis, degrees: degrees).matrix)
            #expect(isClose(matrix.transform(point: axis), axis, 1e-9))
            let point = SIMD3<Double>.random(in: -2...2, using: &random)
            let moved = matrix.transform(point: point)
            #expect(abs((moved * moved).sum() - (point * point).sum()) < 1e-9)
            let back = try #require(Transform.rotate(axis: axis, degrees: -degrees).matrix)
            #expect(isClose(back.transform(point: moved), point, 1e-9))
        }
    }

    @Test func aRotationAboutNoAxisHasNoMatrixUnlessItDoesNotTurn() {
        #expect(Transform.rotate(axis: .zero, degrees: 30).matrix == nil)
        #expect(Transform.rotate(axis: .zero, degrees: 0).matrix == .identity)
    }

    @Test func anAxisMayHaveAnyLength() throws {
        let expected = try #require(Transform.rotate(axis: [0, 3, 4], degrees: 30).matrix)
        for factor in [1e-200, 1e-3, 1e200] {
            let matrix = try #require(Transform.rotate(axis: SIMD3(0, 3, 4) * factor, degrees: 30).matrix)
            #expect(zip(matrix.rows, expected.rows).allSatisfy { abs($0 - $1) < 1e-14 })
        }
    }

    // MARK: - Lookat

    @Test func aViewerStandsAtItsEyeAndLooksAlongMinusZ() throws {
        #expect(
            rows(.lookat(eye: [0, 0, 5], interest: .zero, up: [0, 1, 0])) == [
                1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 5, 0, 0, 0, 1,
            ])
        // From +x: right is −z, up is y, back is +x.
        #expect(
            rows(.lookat(eye: [7, 0, 0], interest: [3, 0, 0], up: [0, 2, 0])) == [
                0, 0, 1, 7, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 0, 1,
            ])
        let matrix = try #require(Transform.lookat(eye: [1, 2, 3], interest: [4, 6, 3], up: [0, 0, 1]).matrix)
        #expect(isClose(matrix.transform(point: [0, 0, -5]), [4, 6, 3]))
        #expect(isClose(matrix.transform(point: [0, 1, 0]), [1, 2, 4]))
    }

    @Test(arguments: Self.blindViewers)
    func aViewerWithoutDirectionHasNoMatrix(viewer: (eye: [Double], interest: [Double], up: [Double])) {
        let (eye, interest, up) = (SIMD3(viewer.eye), SIMD3(viewer.interest), SIMD3(viewer.up))
        #expect(Transform.lookat(eye: eye, interest: interest, up: up).matrix == nil)
    }

    @Test(arguments: Self.rolling)
    func aViewerWhoseUpIsAlongItsViewKeepsItsDirection(viewer: (eye: [Double], interest: [Double], up: [Double])) throws
    {
        let (eye, interest, up) = (SIMD3(viewer.eye), SIMD3(viewer.interest), SIMD3(viewer.up))
        let transform = Transform.lookat(eye: eye, interest: interest, up: up)
        #expect(transform.hasVagueUp)
        let matrix = try #require(transform.matrix)
        let view = interest - eye
        let length = (view * view).sum().squareRoot()
        #expect(isClose(matrix.transform(point: [0, 0, -length]), interest, 1e-8 * max(1, length)))
        #expect(isClose(matrix.transform(point: .zero), eye))
        let (x, y, z) = (matrix.columns.0, matrix.columns.1, matrix.columns.2)
        #expect(abs((x * y).sum()) < 1e-12 && abs((y * z).sum()) < 1e-12 && abs((z * x).sum()) < 1e-12)
        #expect(abs((x * x).sum() - 1) < 1e-12 && abs((y * y).sum() - 1) < 1e-12)
        let across = SIMD3(x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x)
        #expect(isClose(across, SIMD3(z.x, z.y, z.z)))
    }

    // MARK: - Skew

    @Test func aSkewOfPerpendicularAxesIsTheTangent() throws {
        let matrix = try #require(Transform.skew(degrees: 45, from: [0, 1, 0], along: [1, 0, 0]).matrix)
        let expected: [Double] = [1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
        #expect(zip(matrix.rows, expected).allSatisfy { abs($0 - $1) < 1e-15 * 4 })
        let back = try #require(Transform.skew(degrees: -45, from: [0, 1, 0], along: [1, 0, 0]).matrix)
        #expect(isClose(back.transform(point: [1, 1, 0]), [0, 1, 0]))
    }

    /// The RenderMan Interface 3.2: points move along the second axis only, those on it stay, and the first axis turns
    /// by the angle towards the second.
    @Test func aSkewTurnsItsFirstAxisByTheAngleTowardsTheSecond() throws {
        var random = SeededNumbers(seed: 6)
        for _ in 0..<300 {
            let from = SIMD3<Double>.random(in: -2...2, using: &random)
            let along = SIMD3<Double>.random(in: -2...2, using: &random)
            let between = angle(from, along)
            guard between > 5, between < 175 else { continue }
            let degrees = Double.random(in: (between - 175)...(between - 5), using: &random)
            let matrix = try #require(Transform.skew(degrees: degrees, from: from, along: along).matrix)
            #expect(isClose(matrix.transform(point: along), along, 1e-9))
            let turned = matrix.transform(point: from)
            #expect(abs(angle(turned, along) - (between - degrees)) < 1e-6)
            #expect(abs(angle(turned, from) - abs(degrees)) < 1e-6)
            let point = SIMD3<Double>.random(in: -2...2, using: &random)
            let moved = matrix.transform(point: point) - point
            #expect(isClose(moved, along * ((moved * along).sum() / (along * along).sum()), 1e-9))
        }
    }

    @Test(arguments: Self.impossibleSkews)
    func aSkewThatReachesItsSecondAxisHasNoMatrix(skew: (degrees: Double, from: [Double], along: [Double])) {
        let (degrees, from, along) = (skew.degrees, SIMD3(skew.from), SIMD3(skew.along))
        #expect(Transform.skew(degrees: degrees, from: from, along: along).matrix == nil)
    }

    private func angle(_ left: SIMD3<Double>, _ right: SIMD3<Double>) -> Double {
        let cross = SIMD3(
            left.y * right.z - left.z * right.y, left.z * right.x - left.x * right.z,
            left.x * right.y - left.y * right.x)
        return Degrees.of(sine: (cross * cross).sum().squareRoot(), cosine: (left * right).sum())
    }
}

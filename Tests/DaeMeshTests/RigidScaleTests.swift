import DaeScene
import TestSupport
import Testing

@testable import DaeMesh

@Suite struct RigidScaleTests {
    private static func random(_ numbers: inout SeededNumbers) -> SIMD3<Double> {
        SIMD3(
            Double.random(in: -2...2, using: &numbers), Double.random(in: -2...2, using: &numbers),
            Double.random(in: -2...2, using: &numbers))
    }

    private static func difference(_ one: Matrix4, _ other: Matrix4) -> Double {
        zip(one.rows, other.rows).reduce(0) { max($0, abs($1.0 - $1.1)) }
    }

    @Test func aMatrixWithoutShearComesBackFromItsParts() throws {
        var numbers = SeededNumbers(seed: 7)
        for _ in 0..<2000 {
            let matrix = [
                Transform.translate(Self.random(&numbers)),
                .rotate(axis: Self.random(&numbers), degrees: Double.random(in: -720...720, using: &numbers)),
                .scale(Self.random(&numbers)),
            ].matrix
            let parts = try #require(RigidScale(matrix))
            #expect(Self.difference(parts.matrix, matrix) < 1e-9)
        }
    }

    @Test func aMatrixWithShearIsTwoWithout() {
        var numbers = SeededNumbers(seed: 8)
        var sheared = 0
        for _ in 0..<2000 {
            let matrix = Matrix4(
                columns: (
                    SIMD4(Self.random(&numbers), 0), SIMD4(Self.random(&numbers), 0), SIMD4(Self.random(&numbers), 0),
                    SIMD4(Self.random(&numbers), 1)
                ))
            if RigidScale(matrix) == nil { sheared += 1 }
            let split = ShearSplit(matrix)
            #expect(Self.difference(split.outer.matrix * split.inner.matrix, matrix) < 1e-9)
        }
        #expect(sheared > 1900)
    }

    @Test(arguments: [
        Matrix4(columns: ([0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1])),
        Matrix4(columns: ([1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1])),
        Matrix4(columns: ([0, 0, 0, 0], [0, -3, 0, 0], [0, 0, 0, 0], [5, 0, 0, 1])),
    ]) func aFlatMatrixHasPartsToo(_ matrix: Matrix4) throws {
        let parts = try #require(RigidScale(matrix))
        #expect(Self.difference(parts.matrix, matrix) < 1e-12)
        #expect(abs((parts.rotation * parts.rotation).sum() - 1) < 1e-12)
    }

    @Test func halfwayBetweenTwoTurnsIsTheTurnBetween() {
        let (start, end) = (
            RigidScale(nearest: Transform.rotate(axis: [0, 0, 1], degrees: 10).matrix ?? .identity),
            RigidScale(nearest: Transform.rotate(axis: [0, 0, 1], degrees: 110).matrix ?? .identity)
        )
        let middle = Transform.rotate(axis: [0, 0, 1], degrees: 60).matrix ?? .identity
        #expect(Self.difference(start.toward(end, by: 0.5).matrix, middle) < 1e-12)
    }
}

import Testing

@testable import DaeScene

@Suite struct AnimationMemberTests {
    private let matrix = Transform.matrix(
        Matrix4(columns: ([1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15], [4, 8, 12, 16])))
    private var all: [Transform] {
        [
            matrix, .translate([1, 2, 3]), .scale([4, 5, 6]), .rotate(axis: [0, 0, 1], degrees: 30),
            .skew(degrees: 10, from: [1, 0, 0], along: [0, 1, 0]),
            .lookat(eye: [1, 2, 3], interest: [4, 5, 6], up: [7, 8, 9]),
        ]
    }

    @Test func suffixesAreRead() {
        #expect(AnimationMember("") == .whole)
        #expect(AnimationMember(".ANGLE") == .named(.angle))
        #expect(AnimationMember(".X") == .named(.x))
        #expect(AnimationMember("(12)") == .index(12))
        #expect(AnimationMember("(3)(0)") == .cell(column: 3, row: 0))
    }

    @Test(arguments: [
        ".", ".K", ".x", "X", "(", "()", "(1", "1)", "(-1)", "(+1)", "(1)(", "(1)()", "(1)(2)(3)", "(1) (2)", "(a)",
        "(99999999999999999999)", "(1)(99999999999999999999)", "(٣)",
    ])
    func otherSuffixesAreNone(text: String) {
        #expect(AnimationMember(text) == nil)
    }

    @Test func theNumbersOfATransformAreThoseOfTheDocument() {
        #expect((0..<16).map { matrix.components[$0] } == (1...16).map(Double.init))
        for transform in all {
            #expect(Transform(transform.kind, transform.components) == transform)
            let numbers = (0..<transform.kind.count).map { Double($0) + 0.5 }
            let changed = AnimationMember.whole.apply(numbers, to: transform)
            #expect(changed.map { changed in numbers.indices.map { changed.components[$0] } } == numbers)
            for index in -1...transform.kind.count {
                let moved = AnimationMember.index(index).apply([77], to: transform)
                #expect(moved?.components[max(index, 0)] == (numbers.indices.contains(index) ? 77 : nil))
            }
        }
    }

    @Test func membersAreWritten() {
        #expect(AnimationMember.named(.angle).apply([45], to: all[3]) == .rotate(axis: [0, 0, 1], degrees: 45))
        #expect(AnimationMember.named(.x).apply([45], to: all[3]) == .rotate(axis: [45, 0, 1], degrees: 30))
        #expect(AnimationMember.named(.y).apply([9], to: all[1]) == .translate([1, 9, 3]))
        #expect(AnimationMember.named(.z).apply([9], to: all[2]) == .scale([4, 5, 9]))
        #expect(
            AnimationMember.named(.angle).apply([9], to: all[4])
                == .skew(degrees: 9, from: [1, 0, 0], along: [0, 1, 0]))
    }

    @Test func theColumnOfACellStandsFirst() {
        // As in files of 3ds Max: `transform(3)(0)` moves the 17.8219 of `1 0 0 17.8219 0 1 0 0 …`.
        let moved = AnimationMember.cell(column: 3, row: 0).apply([17.8219], to: .matrix(.identity))
        let point = moved?.matrix?.transform(point: .zero)
        #expect(point == [17.8219, 0, 0])
        #expect(AnimationMember.cell(column: 1, row: 2).range(in: matrix) == 9..<10)
    }

    @Test func whatDoesNotFitIsRefused() {
        #expect(AnimationMember.named(.angle).apply([1], to: all[1]) == nil)
        #expect(AnimationMember.named(.x).apply([1], to: matrix) == nil)
        #expect(AnimationMember.named(.red).apply([1], to: all[1]) == nil)
        #expect(AnimationMember.cell(column: 4, row: 0).apply([1], to: matrix) == nil)
        #expect(AnimationMember.cell(column: 0, row: -1).apply([1], to: matrix) == nil)
        #expect(AnimationMember.cell(column: 0, row: 0).apply([1], to: all[5]) == nil)
        #expect(AnimationMember.whole.apply([1, 2], to: all[1]) == nil)
        #expect(AnimationMember.named(.y).apply([1, 2], to: all[1]) == nil)
        #expect(AnimationMember.index(Int.max).apply([1], to: matrix) == nil)
    }

    @Test func coloursHaveTheirOwnNames() {
        #expect(AnimationMember.named(.green).range(inVectorOf: 4) == 1..<2)
        #expect(AnimationMember.named(.alpha).range(inVectorOf: 3) == nil)
        #expect(AnimationMember.whole.range(inVectorOf: 4) == 0..<4)
        #expect(AnimationMember.index(3).range(inVectorOf: 4) == 3..<4)
        #expect(AnimationMember.index(4).range(inVectorOf: 4) == nil)
        #expect(AnimationMember.index(Int.min).range(inVectorOf: 4) == nil)
    }
}

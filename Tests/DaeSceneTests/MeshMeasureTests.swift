import DaeScene
import Testing

@Suite struct MeshMeasureTests {
    private static let bounds = Bounds(min: [1, 2, 3], max: [4, 5, 6])

    private static var fields: [WritableKeyPath<MeshMeasure, Int>] {
        [\.submeshes, \.triangles, \.faceCorners, \.positions, \.lines, \.degenerateFaces]
    }

    /// However they are kept: sound triangles with a box take less room than others and larger numbers.
    @Test(arguments: [nil, bounds], [0, 3, Int(UInt32.max), Int(UInt32.max) + 1, .max])
    func figuresAreThoseThatWereSet(box: Bounds?, number: Int) {
        for field in Self.fields {
            var measure = MeshMeasure()
            measure.bounds = box
            measure[keyPath: field] = number
            for other in Self.fields { #expect(measure[keyPath: other] == (other == field ? number : 0)) }
            #expect(measure.bounds == box)
            #expect((measure == MeshMeasure()) == (box == nil && number == 0))
            var back = measure
            back[keyPath: field] = 0
            back.bounds = nil
            #expect(back == MeshMeasure())
        }
    }
}

// Numbers are read where their text lies; what is put behind it must never become part of it.

import DaeCollada
import DaeScene
import Testing

@Suite struct TextWithElementsTests {
    private func index(_ inner: String) -> ColladaDocument.Technique.Value? {
        let effect =
            "<library_effects><effect id='e'><profile_COMMON><technique sid='t'><phong><index_of_refraction>"
            + "<float>\(inner)</float></index_of_refraction></phong></technique></profile_COMMON></effect></library_effects>"
        return Document().with(effect).document.effects.first?.common?.slots[.indexOfRefraction]
    }

    @Test(arguments: ["1.4", " 1.4\n", "1.4<param ref='5'/>", "1.4<extra/>", "<extra/>1.4", "1.<extra/>4"])
    func aNumberEndsWhereItsTextEnds(inner: String) throws {
        guard case .number(let number) = index(inner) else {
            Issue.record("no number")
            return
        }
        #expect(number == 1.4)
    }

    @Test(arguments: ["", " ", "<param ref='5'/>", "<param ref='5'/>6"])
    func withoutATextThereIsNoNumber(inner: String) {
        #expect(index(inner) == nil)
    }

    @Test func manyAttributesAndTextsStayApart() throws {
        let long = String(repeating: "x", count: 3000)
        let nodes = (0..<50).map { "<node id='\(long)\($0)' name='n\($0)'><translate>\($0) 0 0</translate></node>" }
        let outcome = Document().with("", node: nodes.joined())
        #expect(outcome.findings.isEmpty)
        let read = outcome.document.nodes.dropLast()
        #expect(read.map(\.id) == (0..<50).map { "\(long)\($0)" })
        #expect(read.map(\.name) == (0..<50).map { "n\($0)" })
        for (index, node) in read.enumerated() {
            guard case .translate(let vector) = node.transforms.first else {
                Issue.record("no translation")
                continue
            }
            #expect(vector == SIMD3(Double(index), 0, 0))
        }
    }
}

import DaeCollada
import DaeDiagnostics
import DaeScene
import Testing

/// Lists whose whole text is in one piece are read another way than those that are cut.
@Suite struct WholeListTests {
    private static let count = "<library_animations><animation><source id='s'><float_array id='a' count='3'>"

    /// - Returns: Codes of what is told until the document ends or fails, for pieces of any size.
    private func told(_ text: String) -> [[FindingCode]] {
        [1, 2, 7, 40, 1 << 16].map { size in
            let parser = ColladaParser()
            Array(text.utf8).withUnsafeBytes { bytes in
                do {
                    for start in stride(from: 0, to: bytes.count, by: size) {
                        try parser.read(UnsafeRawBufferPointer(rebasing: bytes[start..<min(bytes.count, start + size)]))
                    }
                    _ = try parser.finish()
                } catch {}
            }
            return parser.log.findings.map(\.code)
        }
    }

    @Test func aCountIsComparedAtTheEndTag() {
        let body = Self.count + "1 2"
        let sound = told(Document(body: body + "</float_array></source></animation></library_animations>").text)
        #expect(sound[0].contains(.arrayCountMismatch))
        #expect(Set(sound).count == 1)
        // Malformed where that would be told.
        let broken = told(Document(body: body + "</flat_array>").text)
        #expect(!broken[0].contains(.arrayCountMismatch))
        #expect(Set(broken).count == 1)
        let odd = told(Document(body: Self.count.replacing("'3'", with: "'x'") + "1 2</flat_array>").text)
        #expect(Set(odd).count == 1)
    }

    /// Of so many bytes, around the length of text that is copied.
    @Test(arguments: [1020, 1023, 1024, 1025, 1026, 1100, 3000])
    func textOfAnyLengthIsReadToItsEnd(_ length: Int) {
        // The end tag is right behind the last digit.
        let numbers = String(String(repeating: "123 45.5 ", count: length / 9 + 1).prefix(length - 1)) + "7"
        let values = numbers.split(separator: " ").compactMap { Double($0) }
        let uv = Mesh.source(
            "uv", numbers, count: values.count,
            accessor: "<accessor source='#uv-array' count='\(values.count)' stride='1'><param name='S'/></accessor>")
        let triangles =
            "<triangles count='1'>\(Mesh.input)<input semantic='TEXCOORD' source='#uv' offset='1'/><p>0 0 1 0 2 0</p></triangles>"
        let text = Document(body: Mesh.geometry(triangles, source: Mesh.source() + uv)).text
        for outcome in [Outcome(text), Outcome(Array(text.utf8), chunk: 100)] {
            let stream = outcome.scene.geometries.first?.mesh?.streams.first { $0.semantic == .texcoord }
            #expect(stream?.values.array == values)
            #expect(!outcome.codes.contains(.arrayCountMismatch))
        }
    }
}

import Testing

@testable import DaeScene

@Suite struct MaterialImageTests {
    @Test func itsImagesAreThoseOfPropertiesAndDetails() {
        func texture(_ image: Int) -> Material.Value { .texture(.init(image: SceneIndex(image), texcoord: "")) }
        let material = Material(
            id: nil, name: nil, effectID: nil, shading: nil,
            properties: [.diffuse: texture(2), .ambient: .number(1), .emission: texture(0)],
            details: [.bump: texture(5)])
        var met: Set<Int> = []
        [material].forEachImage { met.insert($0.value) }
        #expect(met == [0, 2, 5])
        #expect(Set(material.images.map(\.value)) == met)
    }
}

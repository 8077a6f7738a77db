import DaeScene

extension RandomScene {
    mutating func addImages() {
        for _ in 0..<dice.int(0...3) {
            var image = Image(id: newID("image"), name: maybeName(), content: content())
            switch version {
            case .v14: break
            case .v15: if dice.chance(0.5) { addParts(to: &image) }
            }
            scene.images.append(image)
        }
    }

    private mutating func content() -> ImageContent {
        guard dice.chance(0.3) else { return .reference(dice.text()) }
        let bytes = dice.list(0...20) { UInt8($0.int(0...255)) }
        return .embedded(.init(format: dice.maybe(0.7) { $0.text() }, content: .bytes(bytes)))
    }

    /// Pictures by side, level, element or layer, as 1.5 has them.
    private mutating func addParts(to image: inout Image) {
        image.shape = dice.pick([.flat, .volume, .cube])
        image.parts = (0..<dice.int(2...4)).map { _ in
            ImagePart(
                face: image.shape == .cube ? dice.pick(ImagePart.Face.allCases) : nil, mip: dice.int(0...3),
                arrayIndex: dice.int(0...3), depth: image.shape == .volume ? dice.int(0...3) : 0, content: content())
        }
        image.content = image.parts[0].content
    }
}

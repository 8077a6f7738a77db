extension ElementFamily {
    static let controllers = ElementFamily(
        units: [.controller],
        texts: [.bindShapeMatrix])
}

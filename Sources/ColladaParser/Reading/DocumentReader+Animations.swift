extension DocumentReader {
    func decodeAnimation(_ view: ElementView) -> ColladaDocument.Animation {
        ColladaDocument.Animation(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position,
            targets: view.all(.channel).map { $0.attribute(.target) ?? "" }, samplers: view.all(.sampler).count)
    }

    func decodeAnimationClip(_ view: ElementView) -> ColladaDocument.AnimationClip {
        ColladaDocument.AnimationClip(
            id: view.attribute(.id), name: view.attribute(.name), position: view.position,
            animations: view.all(.instanceAnimation).map { requiredReference($0, .url) })
    }
}

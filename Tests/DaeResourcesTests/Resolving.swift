import DaeResources

/// What a reference in `models/a.dae` of a bundle with these files comes to.
func resolve(
    _ reference: String, _ files: String..., from base: String = "models/a.dae", as use: ResourceUse = .image()
) -> Resolution {
    ResourceLocator(container: ResourceList(files)).resolve(reference, from: base, as: use)
}

func found(
    _ path: String, _ rule: ResolutionRule, _ confidence: Resolution.Confidence
) -> Resolution.Outcome {
    .found(path: path, rule: rule, confidence: confidence)
}
